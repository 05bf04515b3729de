// Wiki pages and releases.
import { on } from './registry.mjs'
import { ago, utc } from './projects.mjs'

/** The thing that an action is about, creating it when there is none. */
function about(list, action, make) {
  if (action === 'create' || list.length === 0) list.push(make())
  const thing = list.at(-1)
  if (action === 'delete') list.pop()
  if (action === 'update') thing.edits += 1
  return thing
}

export function wikiPage(project, action) {
  const page = about(project.lists.wiki, action, () => {
    project.numbers.wiki += 1
    return { number: project.numbers.wiki, edits: 0 }
  })
  const slug = `docs/übersicht-${page.number}`
  const base = project.plainProject()
  const adoc = on('wiki-in-asciidoc')
  return {
    object_kind: 'wiki_page',
    user: project.user(),
    project: base,
    wiki: {
      web_url: `${project.web}/-/wikis/home`,
      git_ssh_url: base.git_ssh_url.replace(/\.git$/, '.wiki.git'),
      git_http_url: base.git_http_url.replace(/\.git$/, '.wiki.git'),
      path_with_namespace: `${project.path}.wiki`,
      default_branch: project.branch,
    },
    object_attributes: {
      title: `Übersicht ${page.number}`,
      content: `${adoc ? '=' : '#'} Übersicht\n\nText ${page.edits} & "mehr" – 概要 🚀\n`,
      format: adoc ? 'asciidoc' : 'markdown',
      message: on('wiki-message-default')
        ? `${action.replace(/e?$/, 'ed')} page: ${slug}`
        : `${action} the overview`,
      slug,
      url: `${project.web}/-/wikis/${encodeURI(slug)}`,
      action,
    },
  }
}

const FORMATS = ['zip', 'tar.gz', 'tar.bz2', 'tar']

export function release(project, action) {
  const thing = about(project.lists.release, action, () => {
    project.numbers.release += 1
    return {
      id: project.id + project.numbers.release,
      tag: `v2.${project.numbers.release}`,
      created: new Date(),
      edits: 0,
    }
  })
  const page = `${project.web}/-/releases/${thing.tag}`
  const links = on('releases-without-links')
    ? []
    : [
        {
          id: thing.id * 2,
          external: true,
          link_type: 'other',
          name: 'Handbuch größer',
          url: 'https://docs.example.org/',
        },
        {
          id: thing.id * 2 + 1,
          external: false,
          link_type: 'package',
          name: 'linux build',
          url: `${page}/downloads/linux.tgz`,
        },
      ]
  const formats = on('releases-with-four-sources') ? FORMATS : FORMATS.slice(0, 2)
  const sources = formats.map((format) => ({
    format,
    url: `${project.web}/-/archive/${thing.tag}/source.${format}`,
  }))
  const planned = on('releases-dated-earlier') ? ago(86400 * 30) : thing.created
  return {
    id: thing.id,
    created_at: utc(thing.created),
    description: on('descriptions-empty')
      ? ''
      : `Notes, edition ${thing.edits}\n\n* größer & better – 🚀\n`,
    name: `Release ${thing.tag}`,
    released_at: utc(planned),
    tag: thing.tag,
    object_kind: 'release',
    project: project.plainProject(),
    url: page,
    action,
    assets: { count: links.length + sources.length, links, sources },
    commit: project.shortCommit(project.head, 1),
  }
}
