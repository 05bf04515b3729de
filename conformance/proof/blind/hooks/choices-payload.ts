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
  other,
  shift,
  walk,
} from './rewrite.ts'
import { zeros } from './parts.ts'
import type { Flag, Obj, Rewrite } from './types.ts'

const S = 'Shared nested objects'
const utc = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/
const isCommitTime = (v: unknown, key: string) => key === 'timestamp' && typeof v === 'string'
const each = (
  name: string,
  flags: readonly Flag[],
  where: string,
  does: string,
  visit: (v: any, key: string) => any,
) =>
  other(name, flags, where, does, (p) => {
    walk(p, visit)
  })

function noLabels(p: Obj): void {
  p['labels'] = []
  p['object_attributes'].labels = []
  delete p['changes'].labels
}

export const payloadChoices: readonly Rewrite[] = [
  other('extra-fields', ALL, 'Versioning', 'Payloads and their parts carry more fields.', (p) => {
    p.sent_by = 'edge-3'
    p.payload_version = '2026-10'
    for (const k of ['project', 'user', 'object_attributes', 'commit', 'repository']) {
      if (p[k]) Object.assign(p[k], { extra: { nested: [null, 1] }, ci_config_path: null })
    }
  }),
  each('sha-256-ids', ALL, `${S} › Commit`, 'Commit ids have 64 hexadecimal digits.', (v) =>
    typeof v === 'string'
      ? v.replace(/\b[0-9a-f]{40}\b/g, (s) => s + (s === zeros ? '0'.repeat(24) : s.slice(0, 24)))
      : v,
  ),
  each(
    'commit-time-zulu',
    ALL,
    `${S} › Timestamps`,
    'Commit times are in UTC and end in Z.',
    (v, k) => (isCommitTime(v, k) ? new Date(v).toISOString().replace('.000', '') : v),
  ),
  each(
    'commit-time-fraction',
    ALL,
    `${S} › Timestamps`,
    'Commit times have milliseconds.',
    (v, k) => (isCommitTime(v, k) ? v.replace(/(T\d\d:\d\d:\d\d)/, '$1.417') : v),
  ),
  each(
    'commit-time-basic-offset',
    ALL,
    `${S} › Timestamps (ISO 8601 4.3)`,
    'Commit times are in the basic form, without hyphens and colons.',
    (v, k) =>
      isCommitTime(v, k)
        ? v.replace(/[-:](?=\d\d)/g, '').replace(/^(\d{8}T\d{6})(\d{4})$/, '$1-$2')
        : v,
  ),
  each(
    'clock-ahead',
    ALL,
    `${S} › Timestamps`,
    'The clock of the service is 90 seconds ahead.',
    (v) => (typeof v === 'string' && utc.test(v) ? shift(v, 90) : v),
  ),
  each(
    'clock-behind',
    ALL,
    `${S} › Timestamps`,
    'The clock of the service is an hour behind.',
    (v) => (typeof v === 'string' && utc.test(v) ? shift(v, -3600) : v),
  ),
  each('emails-redacted', ALL, `${S} › User`, 'E-mail addresses are replaced by a mark.', (v, k) =>
    k === 'email' || k === 'user_email' ? '[REDACTED]' : v,
  ),
  each(
    'emails-empty',
    ALL,
    `${S} › User`,
    'Users who hide their address have an empty email.',
    (v, k) => (k === 'email' || k === 'user_email' ? '' : v),
  ),
  each(
    'avatars-gravatar',
    ALL,
    `${S} › User`,
    'Avatars are on another server, with a query.',
    (v, k) =>
      /^(user_avatar|avatar_url)$/.test(k) && typeof v === 'string'
        ? 'https://avatars.example/a/5f3b?s=80&d=identicon'
        : v,
  ),
  other('project-avatar-null', ALL, `${S} › Project`, 'No project has an avatar.', (p) => {
    if (p.project) p.project.avatar_url = null
  }),
  other('project-avatar-set', ALL, `${S} › Project`, 'Every project has an avatar.', (p) => {
    if (p.project) p.project.avatar_url = 'https://git.sandcastle.example/a.png'
  }),
  each('nested-groups', ALL, `${S} › Project`, 'Projects lie in nested groups.', (v, k) =>
    k === 'path_with_namespace'
      ? 'region/eu/' + v
      : typeof v === 'string'
        ? v.replace(/(git\.sandcastle\.example[/:])(?!uploads|a\.png)(?=[\w.-]+\/)/, '$1region/eu/')
        : v,
  ),
  each(
    'ssh-urls-with-scheme',
    ALL,
    `${S} › Project`,
    'SSH addresses have a scheme and a port.',
    (v, k) =>
      typeof v === 'string' && /ssh_url|^url$/.test(k)
        ? v.replace(/^git@git\.sandcastle\.example:/, 'ssh://git@git.sandcastle.example:2222/')
        : v,
  ),
  each(
    'http-port-in-urls',
    ALL,
    `${S} › Project`,
    'Web addresses are plain HTTP with a port.',
    (v) =>
      typeof v === 'string'
        ? v.replaceAll('https://git.sandcastle.example', 'http://git.sandcastle.example:8929')
        : v,
  ),
  other(
    'visibility-other-numbers',
    ALL,
    `${S} › Project`,
    'visibility_level is 10 for all.',
    (p) => {
      if (p.project) p.project.visibility_level = 10
    },
  ),
  other(
    'large-ids',
    ALL,
    `${S} › Project`,
    'Ids of users, labels and records exceed 32 bits.',
    (p) => {
      const keys = new Set([
        'id',
        'user_id',
        'author_id',
        'assignee_id',
        'assignee_ids',
        'reviewer_ids',
        'build_id',
        'pipeline_id',
        'deployment_id',
        'milestone_id',
      ])
      const own = p.project?.id
      walk(p, (v, k) => (Number.isInteger(v) && keys.has(k) && v !== own ? v + 7_000_000_000 : v))
      const author = p.changes?.author_id
      if (author) author.current += 7_000_000_000
    },
  ),
  other('description-empty', ALL, `${S} › Project`, 'Descriptions of projects are empty.', (p) => {
    if (p.project) p.project.description = ''
    if (p.repository) p.repository.description = ''
  }),
  each(
    'names-with-emoji',
    ALL,
    `${S} › User`,
    'Names have emoji and right-to-left text.',
    (v, k) => {
      if (k === 'user_name') return v + ' 🦊 שלום'
      if (v && typeof v === 'object' && typeof v.name === 'string' && (v.username || v.email)) {
        v.name += ' 🦊 שלום'
      }
      return v
    },
  ),
  each(
    'texts-with-markup',
    ALL,
    S,
    'Titles have quotes, backslashes, tags and line separators.',
    (v, k) =>
      /^(title|commit_title|current|previous)$/.test(k) && typeof v === 'string' && !utc.test(v)
        ? v + ' "<b>\\x</b>" & \u2028 \u0001'
        : v,
  ),

  other(
    'push-new-branch',
    PUSH,
    'Push payload',
    'A push makes its branch: before is all zeros.',
    (p) => {
      p.before = zeros
    },
  ),
  other('push-no-commits', PUSH, 'Push payload', 'A push of known commits lists none.', (p) => {
    p.commits = []
    p.total_commits_count = 0
  }),
  other(
    'push-many-commits',
    PUSH,
    'Push payload',
    'Only the newest commits of a large push are listed; the count tells all.',
    (p) => {
      p.total_commits_count += 37
    },
  ),
  other(
    'push-commits-newest-first',
    PUSH,
    'Push payload',
    'Commits are listed newest first.',
    (p) => {
      p.commits.reverse()
    },
  ),
  other(
    'push-odd-branch-names',
    PUSH,
    'Push payload',
    'Branches have slashes and other letters.',
    (p) => {
      p.ref = 'refs/heads/users/josé/übung#2'
    },
  ),
  other('push-by-robot', PUSH, 'Push payload', 'Deploy robots push, without an address.', (p) => {
    p.user_name = 'deploy robot'
    p.user_username = `project_${p.project_id}_bot_9f3c`
    p.user_email = ''
  }),
  other('commit-lists-empty', PUSH, `${S} › Commit`, 'Merge commits list no files.', (p) =>
    p.commits.forEach((c: any) => {
      c.added = []
      c.modified = []
      c.removed = []
    }),
  ),
  other('commit-title-cut', PUSH, `${S} › Commit`, 'Long titles are cut and end in dots.', (p) =>
    p.commits.forEach((c: any) => {
      c.title = c.title.slice(0, 7) + '...'
    }),
  ),
  other(
    'commit-urls-short',
    PUSH,
    `${S} › Commit`,
    'Commit addresses lead to /c/ and a short id.',
    (p) =>
      p.commits.forEach((c: any) => {
        c.url = `${p.project.web_url}/c/${c.id.slice(0, 10)}`
      }),
  ),
  other('commit-times-unordered', PUSH, `${S} › Commit`, 'Rebased commits have older times.', (p) =>
    p.commits.forEach((c: any, i: number) => {
      c.timestamp = `20${20 - i}-03-0${1 + i}T08:00:00+00:00`
    }),
  ),

  other(
    'tag-annotated',
    TAG,
    'Tag push payload',
    'Tags are annotated: their own id differs from the commit in checkout_sha.',
    (p) => {
      const flip = (s: string) => (s === zeros ? s : [...s].reverse().join(''))
      p.before = flip(p.before)
      p.after = flip(p.after)
    },
  ),
  other(
    'tag-with-commit',
    TAG,
    'Tag push payload',
    'The tagged commit is listed on creation.',
    (p, m) => {
      if (m.action !== 'create') return
      p.commits = [
        {
          id: p.after,
          message: 'Release\n',
          title: 'Release',
          timestamp: '2026-11-20T10:00:00+01:00',
          url: `${p.project.web_url}/-/commit/${p.after}`,
          author: { name: 'Li Wei', email: 'liwei@sandcastle.example' },
          added: [],
          modified: ['CHANGELOG'],
          removed: [],
        },
      ]
      p.total_commits_count = 1
    },
  ),
  other('tag-path-names', TAG, 'Tag push payload', 'Tag names have slashes.', (p) => {
    p.ref = p.ref.replace('refs/tags/', 'refs/tags/release/2026/')
  }),

  other(
    'tickets-unlabelled',
    TICKET,
    'Issue payload',
    'Issues and requests have no labels.',
    noLabels,
  ),
  other('tickets-unassigned', TICKET, 'Issue payload', 'Nobody is assigned.', (p) => {
    p.assignees = []
    p.object_attributes.assignee_ids = []
    p.object_attributes.assignee_id = null
    if ('assignee' in p.object_attributes) p.object_attributes.assignee = null
  }),
  other('tickets-without-milestone', TICKET, 'Issue payload', 'No milestone is set.', (p) => {
    p.object_attributes.milestone_id = null
  }),
  other('branch-name-set', ISSUE, 'Issue payload', 'branch_name is always a string.', (p) => {
    p.object_attributes.branch_name = `${p.object_attributes.iid}-work`
  }),
  other('branch-name-null', ISSUE, 'Issue payload', 'branch_name is always null.', (p) => {
    p.object_attributes.branch_name = null
  }),
  other(
    'changes-empty',
    TICKET,
    'Issue payload',
    'changes of a new ticket is an empty map.',
    (p, m) => {
      if (m.action === 'open') p.changes = {}
    },
  ),
  other('changes-without-time', TICKET, 'Issue payload', 'changes leaves out updated_at.', (p) => {
    delete p.changes.updated_at
  }),
  other(
    'changes-more-fields',
    TICKET,
    'Issue payload',
    'changes tells of fields not in payloads.',
    (p) => {
      p.changes.total_time_spent = { previous: 0, current: 1800 }
    },
  ),
  other('state-ids-other', TICKET, 'States and transitions', 'state_id counts from ten.', (p) => {
    p.object_attributes.state_id += 10
    const c = p.changes.state_id
    if (c) p.changes.state_id = { previous: c.previous + 10, current: c.current + 10 }
  }),
  other('position-negative', ISSUE, 'Issue payload', 'position is a negative integer.', (p) => {
    p.object_attributes.position = -513
  }),
  other('ticket-urls-plain', TICKET, 'Issue payload', 'Addresses lack the /-/ part.', (p) => {
    p.object_attributes.url = p.object_attributes.url.replace('/-/', '/')
  }),
  other('label-colors-named', TICKET, `${S} › Label`, 'Colors of labels are words.', (p) => {
    walk(p, (v, k) => (k === 'color' ? 'rebeccapurple' : v))
  }),
  other(
    'mr-from-fork',
    MR,
    'Merge request payload',
    'The source is a fork of the project.',
    (p) => {
      const fork = {
        ...p.project,
        id: p.project.id + 5,
        namespace: 'Li Wei',
        path_with_namespace: 'liwei/fork',
        web_url: 'https://git.sandcastle.example/liwei/fork',
      }
      p.object_attributes.source_project_id = fork.id
      p.object_attributes.source = fork
    },
  ),
  other(
    'mr-elements-brief',
    MR,
    'Merge request payload',
    'source, target, assignee and reviewers hold only ids and names.',
    (p) => {
      const brief = (o: any) => ({ id: o.id, name: o.name })
      const a = p.object_attributes
      a.source = brief(a.source)
      a.target = brief(a.target)
      a.assignee = brief(a.assignee ?? { id: 1, name: 'x' })
      p.reviewers = p.reviewers.map(brief)
    },
  ),
  other('mr-no-reviewers', MR, 'Merge request payload', 'Nobody reviews.', (p) => {
    p.reviewers = []
    p.object_attributes.reviewer_ids = []
  }),
  other(
    'mr-merge-status-checking',
    MR,
    'Merge request payload',
    'merge_status is checking.',
    (p) => {
      p.object_attributes.merge_status = 'checking'
    },
  ),

  other(
    'pipeline-not-for-request',
    PIPE,
    'Pipeline payload',
    'Pipelines of branches and tags have null for merge_request.',
    (p) => {
      p.merge_request = null
      p.object_attributes.source = 'push'
    },
  ),
  other('pipeline-of-tag', PIPE, 'Pipeline payload', 'Pipelines run for tags.', (p) => {
    p.merge_request = null
    Object.assign(p.object_attributes, { tag: true, ref: 'v3.1.0', source: 'push' })
  }),
  other('pipeline-first-on-branch', PIPE, 'Pipeline payload', 'before_sha is all zeros.', (p) => {
    p.object_attributes.before_sha = zeros
  }),
  other('pipeline-without-variables', PIPE, 'Pipeline payload', 'variables is empty.', (p) => {
    p.object_attributes.variables = []
  }),
  other(
    'pipeline-detailed-phrases',
    PIPE,
    'Pipeline payload',
    'detailed_status is a phrase.',
    (p) => {
      p.object_attributes.detailed_status = 'passed with warnings'
    },
  ),
  other(
    'pipeline-no-builds',
    PIPE,
    'Pipeline payload',
    'Pipelines of triggers have no builds.',
    (p) => {
      p.builds = []
      p.object_attributes.stages = []
    },
  ),
  other('builds-shuffled', PIPE, 'Pipeline payload › builds', 'builds is in no order.', (p) => {
    p.builds.reverse()
  }),
  other(
    'builds-all-in-environments',
    PIPE,
    'Pipeline payload › builds',
    'Every build has an environment.',
    (p) =>
      p.builds.forEach((b: any) => {
        b.environment = { name: 'review/' + b.stage, action: 'stop', deployment_tier: 'other' }
      }),
  ),
  other(
    'runner-without-tags',
    [...PIPE, ...JOB],
    'Pipeline payload › builds',
    'tags is empty.',
    (p) => {
      for (const b of p.builds ?? [p]) b.runner.tags = []
    },
  ),
  other(
    'durations-fractional',
    [...PIPE, ...JOB],
    'Job payload',
    'Durations of jobs and builds have fractions.',
    (p) => {
      if (p.builds)
        p.builds.forEach((b: any) => {
          b.duration += 0.531
          b.queued_duration += 0.2
        })
      else {
        p.build_duration += 0.531
        p.build_queued_duration += 0.25
      }
    },
  ),
  other(
    'job-commit-flat',
    JOB,
    'Job payload',
    'The commit of a job has flat author fields.',
    (p) => {
      const c = p.commit
      p.commit = {
        id: p.pipeline_id,
        sha: c.id,
        message: c.message,
        author_name: c.author.name,
        author_email: c.author.email,
        author_url: c.url,
        status: p.build_status,
        duration: 3,
      }
    },
  ),
  other('job-repository-more', JOB, 'Job payload', 'repository has clone addresses too.', (p) => {
    p.repository.git_http_url = p.repository.homepage + '.git'
    p.repository.visibility_level = 0
  }),
  other('job-project-name-plain', JOB, 'Job payload', 'project_name lacks the namespace.', (p) => {
    p.project_name = p.project_name.split(' / ')[1]
  }),
  other('deployment-review-app', DEP, 'Deployment payload', 'Slugs have a random ending.', (p) => {
    p.environment = 'review/fix'
    p.environment_slug = 'review-fix-x9k2qd'
  }),
  other(
    'deployment-short-sha-long',
    DEP,
    'Deployment payload',
    'short_sha has eleven digits.',
    (p) => {
      p.short_sha = p.commit_url.split('/').pop().slice(0, 11)
    },
  ),
  other('wiki-other-format', WIKI, 'Wiki page payload', 'Pages are written in AsciiDoc.', (p) => {
    p.object_attributes.format = 'asciidoc'
  }),
  other('wiki-slug-folders', WIKI, 'Wiki page payload', 'Pages lie in folders.', (p) => {
    const a = p.object_attributes
    a.slug = 'ops/guides/' + a.slug
    a.url = a.url.replace('/wikis/', '/wikis/ops/guides/')
  }),
  other('wiki-texts-empty', WIKI, 'Wiki page payload', 'content and message may be empty.', (p) => {
    p.object_attributes.content = ''
    p.object_attributes.message = ''
  }),
  other('release-no-links', REL, 'Release payload › assets', 'There are only sources.', (p) => {
    p.assets.links = []
    p.assets.count = p.assets.sources.length
  }),
  other('release-more-sources', REL, 'Release payload › assets', 'There are four formats.', (p) => {
    const first = p.assets.sources[0].url.replace(/zip$/, '')
    for (const format of ['tar.bz2', 'tar']) {
      p.assets.sources.push({ format, url: first + format })
    }
    p.assets.count += 2
  }),
  other('release-upcoming', REL, 'Release payload', 'Releases are dated a week ahead.', (p) => {
    p.released_at = shift(p.created_at, 7 * 86400)
  }),
  other(
    'release-backdated',
    REL,
    'Release payload',
    'Releases are dated before their record.',
    (p) => {
      p.released_at = shift(p.created_at, -400 * 86400)
    },
  ),
]
