// Bugs in wiki page and release payloads.
import { iso, only, plain, violation as v } from './make.mjs'

const WIKI = 'Wiki page payload'
const FIELDS =
  'Wiki page payload: object_attributes (title, content, format, message, slug, url, action)'
const TOP = 'object_kind (wiki_page), user, project, wiki, object_attributes'
const PART = 'wiki (web_url, git_ssh_url, git_http_url, path_with_namespace, default_branch)'
const ACTION = 'action values: create, update, delete'
const REL = 'Release payload'
const RFIELDS =
  'Release payload: id, created_at, description, name, released_at, tag, object_kind, ...'
const TIME = 'Timestamps in release payloads have the form YYYY-MM-DD HH:MM:SS UTC'
const LINKS = 'links: array of id, external (boolean), link_type, name, url'
const SOURCES = 'sources: array of format and url'
const FORMATS = 'zip and tar.gz shown as formats'
const wiki = (name, does, breaks, change, actions) =>
  v(name, WIKI, does, breaks, only('wiki', change, actions))
const attr = (name, does, breaks, change, actions) =>
  wiki(
    name,
    does,
    breaks,
    (p) => {
      change(p.object_attributes, p)
    },
    actions,
  )
const rel = (name, does, breaks, change, actions) =>
  v(name, REL, does, breaks, only('release', change, actions))
const PAST = { create: 'created', update: 'updated', delete: 'deleted' }

export const pageBugs = [
  wiki('wiki-kind-is-wiki', 'object_kind is wiki', 'Wiki Page Hook | wiki_page', (p) => {
    p.object_kind = 'wiki'
  }),
  attr('wiki-action-in-past-tense', 'action is created, updated, deleted', ACTION, (a) => {
    a.action = PAST[a.action]
  }),
  attr(
    'wiki-deletion-says-update',
    'action of a deletion is update',
    'action delete; page deleted',
    (a) => {
      a.action = 'update'
    },
    'delete',
  ),
  attr(
    'wiki-deletion-says-destroy',
    'action of a deletion is destroy',
    ACTION,
    (a) => {
      a.action = 'destroy'
    },
    'delete',
  ),
  attr(
    'wiki-content-missing-on-deletion',
    'content is missing for deletions',
    FIELDS,
    (a) => {
      delete a.content
    },
    'delete',
  ),
  attr(
    'wiki-url-missing-on-deletion',
    'url is missing for deletions',
    FIELDS,
    (a) => {
      delete a.url
    },
    'delete',
  ),
  attr(
    'wiki-message-missing-on-update',
    'message is missing for updates',
    FIELDS,
    (a) => {
      delete a.message
    },
    'update',
  ),
  attr('wiki-format-missing', 'format is missing', FIELDS, (a) => {
    delete a.format
  }),
  attr('wiki-slug-missing', 'slug is missing', FIELDS, (a) => {
    delete a.slug
  }),
  attr(
    'wiki-title-missing-on-creation',
    'title is missing for creations',
    FIELDS,
    (a) => {
      delete a.title
    },
    'create',
  ),
  wiki('wiki-attributes-in-wiki', 'the attributes stand in wiki', TOP, (p) => {
    Object.assign(p.wiki, p.object_attributes)
    delete p.object_attributes
  }),
  wiki('wiki-part-without-branch', 'wiki has no default_branch', PART, (p) => {
    delete p.wiki.default_branch
  }),
  wiki('wiki-part-without-ssh-url', 'wiki has no git_ssh_url', PART, (p) => {
    delete p.wiki.git_ssh_url
  }),
  wiki(
    'wiki-part-missing-on-deletion',
    'wiki is missing for deletions',
    TOP,
    (p) => {
      delete p.wiki
    },
    'delete',
  ),
  wiki(
    'wiki-user-missing-on-deletion',
    'user is missing for deletions',
    TOP,
    (p) => {
      delete p.user
    },
    'delete',
  ),
  wiki(
    'wiki-user-avatar-missing',
    'user has no avatar_url',
    'User (object form): ..., avatar_url, email',
    (p) => {
      delete p.user.avatar_url
    },
  ),
  wiki('wiki-project-as-id', 'project is an id', 'project (Project)', (p) => {
    p.project = p.project.id
  }),
  wiki(
    'wiki-update-is-the-event-before',
    'an update delivers the payload of the event before',
    'page updated: action update',
    (p, c) => (c.last ? structuredClone(c.last) : undefined),
    'update',
  ),

  rel('release-kind-missing', 'object_kind is missing', 'object_kind (release)', (p) => {
    delete p.object_kind
  }),
  rel(
    'release-kind-in-plural',
    'object_kind is releases',
    'object_kind (release)',
    (p) => {
      p.object_kind = 'releases'
    },
    'update',
  ),
  rel('release-action-in-past-tense', 'action is created, updated, deleted', ACTION, (p) => {
    p.action = PAST[p.action]
  }),
  rel(
    'release-creation-says-publish',
    'action of a creation is publish',
    ACTION,
    (p) => {
      p.action = 'publish'
    },
    'create',
  ),
  rel(
    'release-action-missing-on-deletion',
    'action is missing for deletions',
    ACTION,
    (p) => {
      delete p.action
    },
    'delete',
  ),
  rel(
    'release-update-says-create',
    'action of an update is create',
    'action update; release updated',
    (p) => {
      p.action = 'create'
    },
    'update',
  ),
  rel('release-created-in-iso', 'created_at is in ISO 8601', TIME, (p) => {
    p.created_at = iso(p.created_at)
  }),
  rel('release-released-as-date', 'released_at is a date only', TIME, (p) => {
    p.released_at = p.released_at.slice(0, 10)
  }),
  rel(
    'release-released-in-iso-on-update',
    'released_at of updates is in ISO 8601',
    TIME,
    (p) => {
      p.released_at = iso(p.released_at)
    },
    'update',
  ),
  rel(
    'release-commit-time-like-others',
    'timestamp of commit has the form YYYY-MM-DD HH:MM:SS UTC',
    'Timestamps in commit objects are ISO 8601',
    (p) => {
      p.commit.timestamp = plain(p.commit.timestamp)
    },
  ),
  rel(
    'release-assets-without-count',
    'assets has no count',
    'assets (count; links; sources)',
    (p) => {
      delete p.assets.count
    },
  ),
  rel(
    'release-assets-missing-on-deletion',
    'assets is missing for deletions',
    RFIELDS,
    (p) => {
      delete p.assets
    },
    'delete',
  ),
  rel('release-links-by-name', 'links is a map by name', LINKS, (p) => {
    p.assets.links = Object.fromEntries(p.assets.links.map((l) => [l.name, l.url]))
  }),
  rel('release-link-external-as-text', 'external of links is text', LINKS, (p) => {
    for (const l of p.assets.links) l.external = String(l.external)
  }),
  rel('release-link-external-missing-when-false', 'external is missing when false', LINKS, (p) => {
    for (const l of p.assets.links) if (!l.external) delete l.external
  }),
  rel('release-second-link-without-type', 'links after the first have no link_type', LINKS, (p) => {
    p.assets.links.slice(1).forEach((l) => {
      delete l.link_type
    })
  }),
  rel('release-sources-as-urls', 'sources are urls', SOURCES, (p) => {
    p.assets.sources = p.assets.sources.map((s) => s.url)
  }),
  rel('release-sources-without-tar', 'sources has no tar.gz', FORMATS, (p) => {
    p.assets.sources = p.assets.sources.filter((s) => s.format !== 'tar.gz')
  }),
  rel('release-source-format-tgz', 'the format tar.gz is called tgz', FORMATS, (p) => {
    for (const s of p.assets.sources) if (s.format === 'tar.gz') s.format = 'tgz'
  }),
  rel(
    'release-sources-missing-on-deletion',
    'sources is missing for deletions',
    'assets (count; links; sources)',
    (p) => {
      delete p.assets.sources
    },
    'delete',
  ),
  rel(
    'release-commit-missing-on-deletion',
    'commit is missing for deletions',
    RFIELDS,
    (p) => {
      delete p.commit
    },
    'delete',
  ),
  rel('release-id-missing', 'id is missing', RFIELDS, (p) => {
    delete p.id
  }),
  rel('release-tag-named-tag-name', 'tag is called tag_name', RFIELDS, (p) => {
    p.tag_name = p.tag
    delete p.tag
  }),
  rel('release-nested-in-attributes', 'url and name stand in object_attributes', RFIELDS, (p) => {
    p.object_attributes = { url: p.url, name: p.name }
    delete p.url
    delete p.name
  }),
  rel(
    'release-description-missing-on-update',
    'description is missing for updates',
    RFIELDS,
    (p) => {
      delete p.description
    },
    'update',
  ),
]
