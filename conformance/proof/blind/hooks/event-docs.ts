import { briefCommit, fullPath, projectPart, sshUrl, stamp, userPart, web } from './parts.ts'
import { Random } from './random.ts'
import type { Obj } from './types.ts'
import type { Project, World } from './world.ts'

const pageTitles = ['Home', 'Release checklist', 'Größen und Maße', 'On-call notes', 'Glossary']

export function wikiPage(w: World, p: Project, action: string, r: Random, sample: boolean): Obj {
  const title = r.pick(pageTitles) + (r.chance(0.5) ? ` ${r.int(2, 99)}` : '')
  let page = { title, slug: title.replaceAll(' ', '-'), content: `# ${title}\n\nTo be written.` }
  const known = p.pages.length > 0 && !sample
  if (action !== 'create' && known) page = p.pages[p.pages.length - 1]!
  if (action === 'update') page.content += `\n\nAdded line ${r.int(1, 99)}.`
  if (action === 'create' && !sample) p.pages.push(page)
  if (action === 'delete' && known) p.pages.pop()
  const verb = { create: 'Create', update: 'Update', delete: 'Delete' }[action]
  const u = r.pick(w.users)
  return {
    object_kind: 'wiki_page',
    user: userPart(u),
    project: projectPart(p),
    wiki: {
      web_url: `${web(p)}/-/wikis/home`,
      git_ssh_url: sshUrl(p).replace('.git', '.wiki.git'),
      git_http_url: `${web(p)}.wiki.git`,
      path_with_namespace: `${fullPath(p)}.wiki`,
      default_branch: p.defaultBranch,
    },
    object_attributes: {
      title: page.title,
      content: page.content,
      format: 'markdown',
      message: `${verb} ${page.title}`,
      slug: page.slug,
      url: `${web(p)}/-/wikis/${encodeURIComponent(page.slug)}`,
      action,
    },
  }
}

export function release(w: World, p: Project, action: string, r: Random, sample: boolean): Obj {
  const tag = `v${r.int(1, 9)}.${r.int(0, 40)}.${r.int(0, 9)}`
  const age = action === 'create' ? 0 : r.int(3600, 900000) * 1000
  const sha = r.pick([...p.heads.values()])
  let rel = { id: w.id('release', r), tag, name: `Release ${tag}`, created: w.now() - age, sha }
  const known = p.releases.length > 0 && !sample
  if (action !== 'create' && known) rel = p.releases[p.releases.length - 1]!
  if (action === 'create' && !sample) p.releases.push(rel)
  if (action === 'delete' && known) p.releases.pop()
  const links = r.some(['Installer', 'Checksums', 'Übersicht'], 1, 3).map((name) => ({
    id: w.id('link', r),
    external: true,
    link_type: r.pick(['other', 'package', 'runbook']),
    name,
    url: `https://downloads.example/${p.path}/${rel.tag}/${encodeURIComponent(name)}`,
  }))
  const sources = ['zip', 'tar.gz'].map((format) => ({
    format,
    url: `${web(p)}/-/archive/${rel.tag}/${p.path}-${rel.tag}.${format}`,
  }))
  return {
    id: rel.id,
    created_at: stamp(rel.created),
    description: r.pick(['Small fixes', 'New: import page 🎉', '* faster\n* smaller']),
    name: rel.name,
    released_at: stamp(rel.created),
    tag: rel.tag,
    object_kind: 'release',
    project: projectPart(p),
    url: `${web(p)}/-/releases/${rel.tag}`,
    action,
    assets: { count: links.length + sources.length, links, sources },
    commit: briefCommit(w, p, new Random(rel.sha), rel.sha, rel.created - 3600e3),
  }
}
