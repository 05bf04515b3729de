// Bugs in push payloads.
import { only, plain, violation as v } from './make.mjs'

const PUSH = 'Push payload'
const FIELDS =
  'Push payload: object_kind, event_name, before, after, ref, checkout_sha, user_id, ...'
const COMMIT =
  'Commit: id, message, title, timestamp (ISO 8601), url, author (name, email), added, modified, removed'
const push = (name, does, breaks, change, actions) =>
  v(name, PUSH, does, breaks, only('push', change, actions))
const eachCommit = (change) => (p) => {
  ;(p.commits || []).forEach(change)
}

export const pushBugs = [
  push(
    'push-event-name-missing',
    'event_name is missing',
    'object_kind, event_name (both push)',
    (p) => {
      delete p.event_name
    },
  ),
  push(
    'push-event-name-by-action',
    'event_name is branch_create or branch_delete',
    'object_kind, event_name (both push)',
    (p, c) => {
      p.event_name = `branch_${c.action}`
    },
    ['create', 'delete'],
  ),
  push(
    'push-ref-short',
    'ref is the short name of the branch',
    'ref (string, full ref name)',
    (p) => {
      p.ref = p.ref.replace('refs/heads/', '')
    },
  ),
  push(
    'push-ref-short-on-deletion',
    'ref of a deleted branch is the short name',
    'ref (string, full ref name)',
    (p) => {
      p.ref = p.ref.replace('refs/heads/', '')
    },
    'delete',
  ),
  push('push-user-id-as-text', 'user_id is text', 'user_id (integer)', (p) => {
    p.user_id = String(p.user_id)
  }),
  push('push-project-id-as-text', 'project_id is text', 'project_id (integer)', (p) => {
    p.project_id = String(p.project_id)
  }),
  push(
    'push-project-id-of-first',
    'project_id is always the one of the first project',
    'project_id of the event',
    (p, c) => {
      p.project_id = c.first.id
    },
  ),
  push(
    'push-total-as-text',
    'total_commits_count is text',
    'total_commits_count (integer)',
    (p) => {
      p.total_commits_count = String(p.total_commits_count)
    },
  ),
  push(
    'push-total-one-less',
    'total_commits_count is one less than the commits',
    'total_commits_count',
    (p) => {
      p.total_commits_count = Math.max(0, p.commits.length - 1)
    },
    ['push', 'create'],
  ),
  push(
    'push-before-null-on-creation',
    'before of a new branch is null',
    'before (string, commit id)',
    (p) => {
      p.before = null
    },
    'create',
  ),
  push(
    'push-after-null-on-deletion',
    'after of a deleted branch is null',
    'after (string)',
    (p) => {
      p.after = null
    },
    'delete',
  ),
  push(
    'push-before-and-after-swapped',
    'before and after are swapped',
    'before, after',
    (p) => {
      ;[p.before, p.after] = [p.after, p.before]
    },
    'push',
  ),
  push('push-checkout-sha-missing', 'checkout_sha is missing', FIELDS, (p) => {
    delete p.checkout_sha
  }),
  push(
    'push-user-nested',
    'the user is an object, not flat fields',
    'Some events carry the user as flat fields',
    (p) => {
      p.user = { id: p.user_id, name: p.user_name, username: p.user_username, email: p.user_email }
      for (const key of Object.keys(p)) if (key.startsWith('user_')) delete p[key]
    },
  ),
  push('push-user-email-missing', 'user_email is missing', FIELDS, (p) => {
    delete p.user_email
  }),
  push(
    'push-user-username-missing-on-deletion',
    'user_username is missing for a deleted branch',
    FIELDS,
    (p) => {
      delete p.user_username
    },
    'delete',
  ),
  push(
    'push-repository-homepage-missing',
    'repository has no homepage',
    'Repository: name, url, description, homepage',
    (p) => {
      delete p.repository.homepage
    },
  ),
  push('push-repository-as-text', 'repository is text', 'repository (Repository)', (p) => {
    p.repository = p.repository.url
  }),
  push(
    'push-commits-null-on-deletion',
    'commits of a deleted branch is null',
    'commits (array of Commit)',
    (p) => {
      p.commits = null
    },
    'delete',
  ),
  push(
    'push-single-commit-as-object',
    'a single commit is an object, not an array',
    'commits (array of Commit)',
    (p) => {
      if (p.commits.length === 1) [p.commits] = p.commits
    },
    ['create', 'push'],
  ),
  push('push-commits-as-ids', 'commits are ids only', 'commits (array of Commit)', (p) => {
    p.commits = p.commits.map((x) => x.id)
  }),
  push(
    'second-hook-gets-no-commits',
    'hooks after the first get a push without the key commits',
    'commits (array of Commit)',
    (p, c) => {
      if (c.index > 0) delete p.commits
    },
  ),
  push(
    'commit-time-as-number',
    'timestamp of commits is a number',
    COMMIT,
    eachCommit((x) => {
      x.timestamp = Math.floor(Date.parse(x.timestamp) / 1000) || 0
    }),
  ),
  push(
    'commit-time-like-other-times',
    'timestamp of commits has the form YYYY-MM-DD HH:MM:SS UTC',
    COMMIT,
    eachCommit((x) => {
      x.timestamp = plain(x.timestamp)
    }),
  ),
  push(
    'commit-time-in-words-for-second',
    'timestamp of the second commit is an RFC 1123 date',
    COMMIT,
    eachCommit((x, n) => {
      if (n === 1) x.timestamp = new Date(x.timestamp).toUTCString()
    }),
  ),
  push(
    'commit-time-mixed-formats',
    'timestamp of commits mixes basic time and extended date',
    'ISO 8601: no mix of formats',
    eachCommit((x) => {
      x.timestamp = x.timestamp.replace(/T(\d\d):(\d\d):/, 'T$1$2')
    }),
  ),
  push(
    'commit-added-as-text',
    'added is text',
    'added (array of path strings)',
    eachCommit((x) => {
      x.added = x.added.join(',')
    }),
  ),
  push(
    'commit-removed-missing-when-empty',
    'removed is missing when empty',
    COMMIT,
    eachCommit((x) => {
      if (!x.removed.length) delete x.removed
    }),
  ),
  push(
    'commit-modified-null-for-second',
    'modified of the second commit is null',
    'modified (array)',
    eachCommit((x, n) => {
      if (n === 1) x.modified = null
    }),
  ),
  push(
    'commit-paths-as-objects',
    'added has objects with a path',
    'added (array of path strings)',
    eachCommit((x) => {
      x.added = x.added.map((path) => ({ path }))
    }),
  ),
  push(
    'commit-author-as-text',
    'author is "name <email>"',
    COMMIT,
    eachCommit((x) => {
      x.author = `${x.author.name} <${x.author.email}>`
    }),
  ),
  push(
    'commit-author-email-missing-for-second',
    'author of the second commit has no email',
    COMMIT,
    eachCommit((x, n) => {
      if (n === 1) delete x.author.email
    }),
  ),
  push(
    'commit-title-missing',
    'commits have no title',
    COMMIT,
    eachCommit((x) => {
      delete x.title
    }),
  ),
  push('commit-message-missing-for-last', 'the last commit has no message', COMMIT, (p) => {
    if (p.commits.length > 1) delete p.commits.at(-1).message
  }),
  push(
    'commit-id-named-sha',
    'id of commits is called sha',
    COMMIT,
    eachCommit((x) => {
      x.sha = x.id
      delete x.id
    }),
  ),
]
