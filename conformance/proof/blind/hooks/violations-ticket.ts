import { ISSUE, MR, iso, rename, shift, wrong } from './rewrite.ts'
import type { Rewrite } from './types.ts'

const I = 'Issue payload'
const IA = 'Issue payload › object_attributes'
const M = 'Merge request payload'
const MA = 'Merge request payload › object_attributes'
const L = 'Shared nested objects › Label'
const T = 'Shared nested objects › Timestamps'

export const ticketViolations: readonly Rewrite[] = [
  wrong('issue-event-type-missing', ISSUE, I, 'event_type is left out.', (p) => {
    delete p.event_type
  }),
  wrong('issue-kind-plural', ISSUE, I, 'object_kind is the plural.', (p) => {
    p.object_kind = 'issues'
  }),
  wrong('issue-user-flat', ISSUE, I, 'The user comes as flat fields.', (p) => {
    p.user_id = p.user.id
    p.user_name = p.user.name
    delete p.user
  }),
  wrong('issue-assignee-ids-strings', ISSUE, IA, 'assignee_ids holds strings.', (p) => {
    const a = p.object_attributes
    a.assignee_ids = a.assignee_ids.map(String)
  }),
  wrong(
    'issue-assignee-ids-first-only',
    ISSUE,
    IA,
    'assignee_ids holds only the first assignee when there are several.',
    (p) => {
      p.object_attributes.assignee_ids.length = 1
    },
  ),
  wrong(
    'issue-assignee-id-not-in-ids',
    ISSUE,
    IA,
    'assignee_id names nobody of assignee_ids.',
    (p) => {
      p.object_attributes.assignee_id += 100000
    },
  ),
  wrong('issue-assignees-missing-username', ISSUE, I, 'assignees have no username.', (p) =>
    p.assignees.forEach((a: any) => {
      delete a.username
    }),
  ),
  wrong(
    'issue-assignees-object',
    ISSUE,
    I,
    'assignees is the first assignee, not an array.',
    (p) => {
      p.assignees = p.assignees[0]
    },
  ),
  wrong('issue-author-missing', ISSUE, IA, 'author_id is left out.', (p) => {
    delete p.object_attributes.author_id
  }),
  wrong('issue-project-id-other', ISSUE, IA, 'project_id names the other project.', (p, m) => {
    p.object_attributes.project_id = m.other.id
  }),
  wrong('issue-created-iso', ISSUE, T, 'created_at is ISO 8601.', (p) => {
    const a = p.object_attributes
    a.created_at = iso(a.created_at)
  }),
  wrong(
    'issue-updated-iso-on-update',
    ISSUE,
    T,
    'updated_at is ISO 8601 in updates only.',
    (p, m) => {
      const a = p.object_attributes
      if (m.action === 'update') a.updated_at = iso(a.updated_at)
    },
  ),
  wrong('issue-updated-no-zone', ISSUE, T, 'updated_at lacks its zone.', (p) => {
    const a = p.object_attributes
    a.updated_at = a.updated_at.replace(' UTC', '')
  }),
  wrong('issue-updated-before-created', ISSUE, IA, 'updated_at lies before created_at.', (p) => {
    const a = p.object_attributes
    a.updated_at = shift(a.created_at, -3600)
  }),
  wrong('issue-position-string', ISSUE, IA, 'position is a string.', (p) => {
    const a = p.object_attributes
    a.position = String(a.position)
  }),
  wrong('issue-position-null', ISSUE, IA, 'position is null.', (p) => {
    p.object_attributes.position = null
  }),
  wrong(
    'issue-branch-name-absent',
    ISSUE,
    IA,
    'branch_name is left out when there is none.',
    (p) => {
      const a = p.object_attributes
      if (a.branch_name === null) delete a.branch_name
    },
  ),
  wrong('issue-milestone-absent', ISSUE, IA, 'milestone_id is left out.', (p) => {
    delete p.object_attributes.milestone_id
  }),
  wrong(
    'issue-state-open',
    ISSUE,
    'States and transitions › Issue state',
    'state of a new issue is open.',
    (p, m) => {
      if (m.action === 'open') p.object_attributes.state = 'open'
    },
  ),
  wrong(
    'issue-state-id-word',
    ISSUE,
    'States and transitions › Issue state',
    'state_id is the word of the state.',
    (p) => {
      p.object_attributes.state_id = p.object_attributes.state
    },
  ),
  wrong(
    'issue-state-stale-on-close',
    ISSUE,
    IA,
    'A closed issue still has the state opened.',
    (p, m) => {
      if (m.action === 'close') p.object_attributes.state = 'opened'
    },
  ),
  wrong(
    'issue-state-stale-on-reopen',
    ISSUE,
    IA,
    'A reopened issue has the state closed.',
    (p, m) => {
      if (m.action === 'reopen') p.object_attributes.state = 'closed'
    },
  ),
  wrong('issue-iid-missing', ISSUE, IA, 'iid is left out.', (p) => {
    delete p.object_attributes.iid
  }),
  wrong('issue-url-of-other', ISSUE, IA, 'url leads to an issue of the other project.', (p, m) => {
    const a = p.object_attributes
    a.url = a.url.replace(p.project.web_url, m.other.web_url)
  }),
  wrong(
    'issue-action-past',
    ISSUE,
    `${I} › action values`,
    'action closed instead of close.',
    (p, m) => {
      if (m.action === 'close') p.object_attributes.action = 'closed'
    },
  ),
  wrong(
    'issue-action-reopen-as-update',
    ISSUE,
    `${I} › action values`,
    'A reopened issue is told as an update.',
    (p, m) => {
      if (m.action === 'reopen') p.object_attributes.action = 'update'
    },
  ),
  wrong(
    'issue-action-created',
    ISSUE,
    `${I} › action values`,
    'action of a new issue is create.',
    (p, m) => {
      if (m.action === 'open') p.object_attributes.action = 'create'
    },
  ),
  wrong(
    'issue-action-top-level',
    ISSUE,
    IA,
    'action stands at the top, not in the attributes.',
    (p) => {
      p.action = p.object_attributes.action
      delete p.object_attributes.action
    },
  ),
  wrong('issue-inner-labels-missing', ISSUE, IA, 'The attributes have no labels.', (p) => {
    delete p.object_attributes.labels
  }),
  wrong(
    'issue-labels-disagree',
    ISSUE,
    I,
    'The labels at the top differ from the inner ones.',
    (p) => {
      p.labels = p.labels.map((l: any) => ({ ...l, id: l.id + 5000, title: 'stale' }))
    },
  ),
  wrong('label-titles-only', ISSUE, L, 'labels is a list of titles.', (p) => {
    p.labels = p.labels.map((l: any) => l.title)
  }),
  wrong('label-time-iso', ISSUE, T, 'Times of labels are ISO 8601.', (p) =>
    p.labels.forEach((l: any) => {
      l.created_at = iso(l.created_at)
    }),
  ),
  wrong('label-project-id-missing', ISSUE, L, 'Labels have no project_id.', (p) =>
    p.labels.forEach((l: any) => {
      delete l.project_id
    }),
  ),
  wrong('label-project-id-string', MR, L, 'project_id of labels is a string.', (p) =>
    p.labels.forEach((l: any) => {
      l.project_id = String(l.project_id)
    }),
  ),
  wrong('label-named-name', MR, L, 'The title of a label is called name.', (p) =>
    p.labels.forEach((l: any) => rename(l, 'title', 'name')),
  ),
  wrong('label-color-missing-inside', ISSUE, L, 'Labels in the attributes have no color.', (p) =>
    p.object_attributes.labels.forEach((l: any) => {
      delete l.color
    }),
  ),
  wrong('issue-changes-array', ISSUE, I, 'changes is a list.', (p) => {
    p.changes = Object.entries(p.changes).map(([field, c]) => ({ field, ...(c as object) }))
  }),
  wrong('issue-changes-pairs', ISSUE, I, 'Each change is a pair instead of an object.', (p) => {
    for (const k of Object.keys(p.changes)) {
      p.changes[k] = [p.changes[k].previous, p.changes[k].current]
    }
  }),
  wrong('issue-changes-swapped', ISSUE, I, 'previous and current are swapped.', (p) => {
    for (const c of Object.values<any>(p.changes)) {
      ;[c.previous, c.current] = [c.current, c.previous]
    }
  }),
  wrong('issue-changes-previous-missing', ISSUE, I, 'Changes have no previous value.', (p) => {
    for (const c of Object.values<any>(p.changes)) delete c.previous
  }),
  wrong('issue-changes-missing', ISSUE, I, 'changes is null.', (p) => {
    p.changes = null
  }),
  wrong(
    'issue-changes-old-value-after-update',
    ISSUE,
    I,
    'The attributes carry the old title although changes tells the new one.',
    (p) => {
      if (p.changes.title?.previous) p.object_attributes.title = p.changes.title.previous
    },
  ),

  wrong('mr-event-type-missing', MR, M, 'event_type is left out.', (p) => {
    delete p.event_type
  }),
  wrong('mr-kind-short', MR, M, 'object_kind is mr.', (p) => {
    p.object_kind = 'mr'
  }),
  wrong('mr-reviewers-missing', MR, M, 'reviewers is left out.', (p) => {
    delete p.reviewers
  }),
  wrong('mr-labels-missing', MR, M, 'labels at the top is left out.', (p) => {
    delete p.labels
  }),
  wrong('mr-changes-missing', MR, M, 'changes is left out.', (p) => {
    delete p.changes
  }),
  wrong('mr-assignees-missing', MR, M, 'assignees is left out.', (p) => {
    delete p.assignees
  }),
  wrong('mr-reviewer-ids-missing', MR, MA, 'reviewer_ids is left out.', (p) => {
    delete p.object_attributes.reviewer_ids
  }),
  wrong('mr-reviewer-ids-scalar', MR, MA, 'reviewer_ids is one number.', (p) => {
    p.object_attributes.reviewer_ids = p.object_attributes.reviewer_ids[0]
  }),
  wrong('mr-target-branch-null', MR, MA, 'target_branch is null.', (p) => {
    p.object_attributes.target_branch = null
  }),
  wrong('mr-target-project-other', MR, MA, 'target_project_id names the other project.', (p, m) => {
    p.object_attributes.target_project_id = m.other.id
  }),
  wrong('mr-draft-string', MR, MA, 'draft is a string.', (p) => {
    const a = p.object_attributes
    a.draft = String(a.draft)
  }),
  wrong('mr-work-in-progress-missing', MR, MA, 'work_in_progress is left out.', (p) => {
    delete p.object_attributes.work_in_progress
  }),
  wrong('mr-draft-null-when-false', MR, MA, 'work_in_progress is null when it is not.', (p) => {
    const a = p.object_attributes
    if (!a.draft) a.work_in_progress = null
  }),
  wrong('mr-draft-disagrees', MR, MA, 'draft and work_in_progress contradict each other.', (p) => {
    const a = p.object_attributes
    a.work_in_progress = !a.draft
  }),
  wrong('mr-last-commit-id-only', MR, MA, 'last_commit is only an id.', (p) => {
    const a = p.object_attributes
    a.last_commit = a.last_commit.id
  }),
  wrong('mr-last-commit-author-missing', MR, MA, 'last_commit has no author.', (p) => {
    delete p.object_attributes.last_commit.author
  }),
  wrong('mr-last-commit-time-utc-form', MR, T, 'The time of last_commit is not ISO 8601.', (p) => {
    const c = p.object_attributes.last_commit
    c.timestamp = shift(c.timestamp, 0)
  }),
  wrong('mr-updated-iso', MR, T, 'updated_at of merge requests is ISO 8601.', (p) => {
    const a = p.object_attributes
    a.updated_at = iso(a.updated_at)
  }),
  wrong('mr-created-epoch', MR, T, 'created_at of merge requests is epoch milliseconds.', (p) => {
    const a = p.object_attributes
    a.created_at = Date.parse(iso(a.created_at)!)
  }),
  wrong(
    'mr-state-open',
    MR,
    'States and transitions › Merge request state',
    'state of a new merge request is open.',
    (p, m) => {
      if (m.action === 'open') p.object_attributes.state = 'open'
    },
  ),
  wrong(
    'mr-state-id-string',
    MR,
    'States and transitions › Merge request state',
    'state_id is a string.',
    (p) => {
      const a = p.object_attributes
      a.state_id = String(a.state_id)
    },
  ),
  wrong(
    'mr-state-stale-on-merge',
    MR,
    MA,
    'A merged request still has the state opened.',
    (p, m) => {
      if (m.action === 'merge') p.object_attributes.state = 'opened'
    },
  ),
  wrong('mr-merge-status-missing', MR, MA, 'merge_status is left out.', (p) => {
    delete p.object_attributes.merge_status
  }),
  wrong(
    'mr-action-merged',
    MR,
    `${M} › action values`,
    'action is merged instead of merge.',
    (p, m) => {
      if (m.action === 'merge') p.object_attributes.action = 'merged'
    },
  ),
  wrong(
    'mr-action-approval',
    MR,
    `${M} › action values`,
    'action is approval instead of approved.',
    (p, m) => {
      if (m.action === 'approved') p.object_attributes.action = 'approval'
    },
  ),
  wrong(
    'mr-action-unapproved-as-update',
    MR,
    `${M} › action values`,
    'A withdrawn approval is told as an approval.',
    (p, m) => {
      if (m.action === 'unapproved') p.object_attributes.action = 'approved'
    },
  ),
  wrong(
    'mr-assignee-ids-strangers',
    MR,
    MA,
    'assignee_ids names somebody outside assignees.',
    (p) => {
      const a = p.object_attributes
      a.assignee_ids = [a.author_id + 70000]
    },
  ),
  wrong('mr-iid-missing', MR, MA, 'iid is left out.', (p) => {
    delete p.object_attributes.iid
  }),
  wrong('mr-source-missing', MR, MA, 'source is left out.', (p) => {
    delete p.object_attributes.source
  }),
]
