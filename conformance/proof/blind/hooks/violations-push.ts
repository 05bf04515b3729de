import {
  ALL,
  DEP,
  ISSUE,
  JOB,
  MR,
  PIPE,
  PUSH,
  REL,
  TAG,
  TICKET,
  WIKI,
  iso,
  rename,
  walk,
  wrong,
} from './rewrite.ts'
import type { Rewrite } from './types.ts'

const P = 'Push payload'
const T = 'Tag push payload'
const S = 'Shared nested objects'

export const pushViolations: readonly Rewrite[] = [
  wrong('push-kind-missing', PUSH, P, 'Push payloads have no object_kind.', (p) => {
    delete p.object_kind
  }),
  wrong('push-event-name-hook', PUSH, P, 'event_name of a push is the header value.', (p) => {
    p.event_name = 'Push Hook'
  }),
  wrong('push-ref-short', PUSH, P, 'ref of a push is the bare branch name.', (p) => {
    p.ref = p.ref.replace('refs/heads/', '')
  }),
  wrong('push-before-null', PUSH, P, 'before of a push is null.', (p) => {
    p.before = null
  }),
  wrong('push-before-is-after', PUSH, P, 'before of a push repeats after.', (p) => {
    p.before = p.after
  }),
  wrong('push-after-short', PUSH, P, 'after is shortened to eight digits.', (p) => {
    p.after = p.after.slice(0, 8)
  }),
  wrong('push-checkout-missing', PUSH, P, 'checkout_sha is left out.', (p) => {
    delete p.checkout_sha
  }),
  wrong('push-user-id-string', PUSH, P, 'user_id is a numeric string.', (p) => {
    p.user_id = String(p.user_id)
  }),
  wrong(
    'push-user-nested',
    PUSH,
    P,
    'The user comes as an object instead of the flat fields.',
    (p) => {
      p.user = {
        id: p.user_id,
        name: p.user_name,
        username: p.user_username,
        avatar_url: p.user_avatar,
        email: p.user_email,
      }
      for (const k of ['id', 'name', 'username', 'email', 'avatar']) delete p['user_' + k]
    },
  ),
  wrong('push-username-missing', PUSH, P, 'user_username is left out.', (p) => {
    delete p.user_username
  }),
  wrong('push-email-missing', PUSH, P, 'user_email is left out.', (p) => {
    delete p.user_email
  }),
  wrong('push-avatar-missing', PUSH, P, 'user_avatar is called user_avatar_url.', (p) =>
    rename(p, 'user_avatar', 'user_avatar_url'),
  ),
  wrong('push-project-id-other', PUSH, P, 'project_id names the other project.', (p, m) => {
    p.project_id = m.other.id
  }),
  wrong('push-total-string', PUSH, P, 'total_commits_count is a string.', (p) => {
    p.total_commits_count = String(p.total_commits_count)
  }),
  wrong(
    'push-total-off-by-one',
    PUSH,
    P,
    'total_commits_count is one less than the commits.',
    (p) => {
      p.total_commits_count -= 1
    },
  ),
  wrong('push-commits-ids-only', PUSH, P, 'commits is a list of ids instead of objects.', (p) => {
    p.commits = p.commits.map((c: any) => c.id)
  }),
  wrong(
    'push-commits-object',
    PUSH,
    P,
    'A single commit comes as an object, not in an array.',
    (p) => {
      if (p.commits.length === 1) p.commits = p.commits[0]
    },
  ),
  wrong('push-repository-missing', PUSH, P, 'repository is left out.', (p) => {
    delete p.repository
  }),
  wrong('repository-homepage-missing', PUSH, `${S} › Repository`, 'homepage is left out.', (p) => {
    delete p.repository.homepage
  }),
  wrong('repository-url-null', PUSH, `${S} › Repository`, 'url of the repository is null.', (p) => {
    p.repository.url = null
  }),
  wrong(
    'repository-name-other',
    PUSH,
    `${S} › Repository`,
    'The repository is that of the other project.',
    (p, m) => {
      p.repository.name = m.other.name
      p.repository.homepage = m.other.web_url
    },
  ),
  wrong(
    'commit-time-utc-form',
    PUSH,
    `${S} › Timestamps`,
    'Commit timestamps of a push have the form with UTC at the end.',
    (p) =>
      p.commits.forEach((c: any) => {
        c.timestamp = new Date(c.timestamp).toISOString().slice(0, 19).replace('T', ' ') + ' UTC'
      }),
  ),
  wrong(
    'commit-time-epoch',
    PUSH,
    `${S} › Timestamps`,
    'Commit timestamps are epoch seconds.',
    (p) =>
      p.commits.forEach((c: any) => {
        c.timestamp = Date.parse(c.timestamp) / 1000
      }),
  ),
  wrong(
    'commit-time-month-zero',
    PUSH,
    'ISO 8601 4.3',
    'Later commits of a push carry a month number of 00 in their timestamp.',
    (p) =>
      p.commits.forEach((c: any, i: number) => {
        if (i > 0 || p.commits.length === 1) c.timestamp = c.timestamp.replace(/-\d\d-/, '-00-')
      }),
  ),
  wrong('commit-author-string', PUSH, `${S} › Commit`, 'author is one string.', (p) =>
    p.commits.forEach((c: any) => {
      c.author = `${c.author.name} <${c.author.email}>`
    }),
  ),
  wrong('commit-author-email-missing', PUSH, `${S} › Commit`, 'author has no email.', (p) =>
    p.commits.forEach((c: any) => {
      delete c.author.email
    }),
  ),
  wrong(
    'commit-removed-null',
    PUSH,
    `${S} › Commit`,
    'removed is null when nothing was removed.',
    (p) =>
      p.commits.forEach((c: any) => {
        if (!c.removed.length) c.removed = null
      }),
  ),
  wrong(
    'commit-added-absent-when-empty',
    PUSH,
    `${S} › Commit`,
    'added is left out when nothing was added.',
    (p) =>
      p.commits.forEach((c: any) => {
        if (!c.added.length) delete c.added
      }),
  ),
  wrong(
    'commit-modified-objects',
    PUSH,
    `${S} › Commit`,
    'modified holds objects with a path instead of strings.',
    (p) =>
      p.commits.forEach((c: any) => {
        c.modified = c.modified.map((path: string) => ({ path }))
      }),
  ),
  wrong('commit-title-missing', PUSH, `${S} › Commit`, 'title of the commits is left out.', (p) =>
    p.commits.forEach((c: any) => {
      delete c.title
    }),
  ),
  wrong(
    'commit-url-missing-after-first',
    PUSH,
    `${S} › Commit`,
    'Only the first commit has a url.',
    (p) =>
      p.commits.slice(1).forEach((c: any) => {
        delete c.url
      }),
  ),
  wrong(
    'commit-ids-repeat',
    PUSH,
    `${S} › Commit`,
    'All commits of a push carry the id of the newest.',
    (p) =>
      p.commits.forEach((c: any) => {
        c.id = p.after
      }),
  ),

  wrong('tag-kind-push', TAG, T, 'object_kind of a tag push is push.', (p) => {
    p.object_kind = 'push'
  }),
  wrong('tag-event-name-push', TAG, T, 'event_name of a tag push is push.', (p) => {
    p.event_name = 'push'
  }),
  wrong('tag-created-before-null', TAG, T, 'before is null when a tag is created.', (p, m) => {
    if (m.action === 'create') p.before = null
  }),
  wrong(
    'tag-created-before-is-commit',
    TAG,
    T,
    'before is a commit when a tag is created.',
    (p, m) => {
      if (m.action === 'create') p.before = p.after
    },
  ),
  wrong(
    'tag-created-before-short-zeros',
    TAG,
    T,
    'before has only eight zeros when a tag is created.',
    (p, m) => {
      if (m.action === 'create') p.before = '00000000'
    },
  ),
  wrong(
    'tag-created-before-zeros-then-one',
    TAG,
    T,
    'before ends in a one after its zeros when a tag is created.',
    (p, m) => {
      if (m.action === 'create') p.before = p.before.slice(1) + '1'
    },
  ),
  wrong(
    'tag-created-all-zeros-both',
    TAG,
    T,
    'after is zeros too when a tag is created.',
    (p, m) => {
      if (m.action === 'create') p.after = p.before
    },
  ),
  wrong('tag-deleted-after-null', TAG, T, 'after is null when a tag is deleted.', (p, m) => {
    if (m.action === 'delete') p.after = null
  }),
  wrong(
    'tag-deleted-after-is-commit',
    TAG,
    T,
    'after is the old commit when a tag is deleted.',
    (p, m) => {
      if (m.action === 'delete') p.after = p.before
    },
  ),
  wrong('tag-deleted-empty-after', TAG, T, 'after is empty when a tag is deleted.', (p, m) => {
    if (m.action === 'delete') p.after = ''
  }),
  wrong(
    'tag-deleted-before-after-swapped',
    TAG,
    T,
    'before and after are swapped when a tag is deleted.',
    (p, m) => {
      if (m.action === 'delete') [p.before, p.after] = [p.after, p.before]
    },
  ),
  wrong('tag-ref-heads', TAG, T, 'ref of a tag push lies under refs/heads.', (p) => {
    p.ref = p.ref.replace('refs/tags/', 'refs/heads/')
  }),
  wrong('tag-user-name-missing', TAG, T, 'user_name is left out.', (p) => {
    delete p.user_name
  }),
  wrong('tag-project-missing', TAG, T, 'project is left out of tag pushes.', (p) => {
    delete p.project
  }),
  wrong('tag-commits-null', TAG, T, 'commits is null in tag pushes.', (p) => {
    p.commits = null
  }),
  wrong('tag-total-missing', TAG, T, 'total_commits_count is left out of tag pushes.', (p) => {
    delete p.total_commits_count
  }),
  wrong('tag-repository-string', TAG, T, 'repository of a tag push is its name.', (p) => {
    p.repository = p.repository.name
  }),

  ...(
    [
      ['push', PUSH],
      ['tag', TAG],
      ['issue', ISSUE],
      ['merge', MR],
      ['pipeline', PIPE],
      ['deployment', DEP],
      ['wiki', WIKI],
      ['release', REL],
    ] as const
  ).map(([word, flags], i) => {
    const how = [
      ['visibility-level-word', 'visibility_level is a word', 'visibility_level'],
      ['default-branch-missing', 'default_branch is left out', 'default_branch'],
      ['id-string', 'id is a string', 'id'],
      ['namespace-object', 'namespace is an object', 'namespace'],
      ['ssh-url-missing', 'git_ssh_url is left out', 'git_ssh_url'],
      ['description-null', 'description is null', 'description'],
      ['path-without-namespace', 'path_with_namespace lacks the namespace', 'path_with_namespace'],
      ['http-url-missing', 'git_http_url is called http_url', 'git_http_url'],
    ][i] as [string, string, string]
    return wrong(
      `${word}-project-${how[0]}`,
      flags,
      `${S} › Project`,
      `In the project of ${word} payloads ${how[1]}.`,
      (p) => {
        const o = p.project
        const key = how[2]
        if (i === 0) o[key] = o[key] ? 'public' : 'private'
        else if (i === 2) o[key] = String(o[key])
        else if (i === 3) o[key] = { name: o[key] }
        else if (i === 5) o[key] = null
        else if (i === 6) o[key] = o[key].split('/').pop()
        else if (i === 7) rename(o, key, 'http_url')
        else delete o[key]
      },
    )
  }),
  wrong(
    'project-avatar-missing-when-null',
    ALL,
    `${S} › Project`,
    'avatar_url of a project is left out instead of null when there is none.',
    (p) => {
      if (p.project && p.project.avatar_url === null) delete p.project.avatar_url
    },
  ),
  wrong(
    'project-is-other-every-fourth',
    ALL.filter((f) => f !== 'job_events'),
    `${S} › Project`,
    'Every fourth payload describes the other project.',
    (p, m) => {
      if (m.n % 4 === 0) Object.assign(p.project, m.other)
    },
  ),
  ...(
    [
      ['issue', ISSUE, 'email'],
      ['merge', MR, 'username'],
      ['pipeline', PIPE, 'id'],
      ['job', JOB, 'name'],
      ['deployment', DEP, 'avatar_url'],
      ['wiki', WIKI, 'email'],
    ] as const
  ).map(([word, flags, key]) =>
    wrong(
      `${word}-user-${key.replace('_', '-')}-missing`,
      flags,
      `${S} › User`,
      `The user of ${word} payloads has no ${key}.`,
      (p) => {
        delete p.user[key]
      },
    ),
  ),
  wrong(
    'user-id-string',
    [...TICKET, ...WIKI],
    `${S} › User`,
    'The id of the user is a numeric string.',
    (p) => {
      p.user.id = String(p.user.id)
    },
  ),
  wrong(
    'release-time-iso',
    REL,
    `${S} › Timestamps`,
    'created_at of a release is ISO 8601.',
    (p) => {
      p.created_at = iso(p.created_at)
    },
  ),
  wrong(
    'ids-beyond-integers',
    ALL,
    `${S} › Project (RFC 8259 6)`,
    'The project id is a number with a fraction.',
    (p) => {
      if (p.project) p.project.id += 0.5
    },
  ),
  wrong(
    'times-lowercase-utc',
    [...TICKET, ...PIPE],
    `${S} › Timestamps`,
    'The zone of times is written in lower case.',
    (p) => {
      walk(p, (v) => (typeof v === 'string' ? v.replace(/(:\d\d) UTC$/, '$1 utc') : v))
    },
  ),
]
