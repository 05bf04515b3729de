// Bugs in merge request payloads.
import { epoch, iso, only, plain, violation as v } from './make.mjs'

const WHERE = 'Merge request payload'
const TOP =
  'Top level: object_kind, event_type, user, project, object_attributes, labels, changes, assignees, ...'
const ATTRS = 'Merge request payload: object_attributes: id, iid, target_branch, ...'
const TIME = 'Timestamps in merge request payloads have the form YYYY-MM-DD HH:MM:SS UTC'
const ACTION = 'action values: open, update, close, reopen, merge, approved, unapproved'
const LAST = 'last_commit (id, message, timestamp, url, author with name and email)'
const ISO = 'Timestamps in commit objects are ISO 8601'
const merge = (name, does, breaks, change, actions) =>
  v(name, WHERE, does, breaks, only('merge', change, actions))
const attr = (name, does, breaks, change, actions) =>
  merge(
    name,
    does,
    breaks,
    (p, c) => {
      change(p.object_attributes, p, c)
    },
    actions,
  )

export const mergeBugs = [
  merge(
    'merge-event-type-missing',
    'event_type is missing',
    'object_kind and event_type (both merge_request)',
    (p) => {
      delete p.event_type
    },
  ),
  merge(
    'merge-kind-with-hyphen',
    'object_kind is merge-request',
    'object_kind and event_type (both merge_request)',
    (p) => {
      p.object_kind = 'merge-request'
    },
  ),
  merge(
    'merge-event-type-by-action',
    'event_type of merges is merge',
    'object_kind and event_type (both merge_request)',
    (p) => {
      p.event_type = 'merge'
    },
    'merge',
  ),
  attr(
    'merge-action-says-merged',
    'action of a merge is merged',
    ACTION,
    (a) => {
      a.action = 'merged'
    },
    'merge',
  ),
  attr(
    'merge-action-says-close',
    'action of a merge is close',
    'action merge; merge request merged',
    (a) => {
      a.action = 'close'
    },
    'merge',
  ),
  attr(
    'merge-action-says-approve',
    'action of approvals is approve',
    ACTION,
    (a) => {
      a.action = 'approve'
    },
    'approved',
  ),
  attr(
    'merge-action-unapproved-is-approved',
    'action of withdrawn approvals is approved',
    'action values: unapproved',
    (a) => {
      a.action = 'approved'
    },
    'unapproved',
  ),
  attr(
    'merge-action-null-on-reopen',
    'action is null for reopened requests',
    ACTION,
    (a) => {
      a.action = null
    },
    'reopen',
  ),
  attr(
    'merge-state-says-open',
    'state of an open request is "open"',
    'Merge request state: opened',
    (a) => {
      if (a.state === 'opened') a.state = 'open'
    },
  ),
  attr('merge-state-id-as-text', 'state_id is text', 'state_id is an integer', (a) => {
    a.state_id = String(a.state_id)
  }),
  attr(
    'merge-state-id-null-when-merged',
    'state_id of a merged request is null',
    'state_id is an integer',
    (a) => {
      a.state_id = null
    },
    'merge',
  ),
  attr('merge-draft-as-text', 'draft is text', 'draft (boolean)', (a) => {
    a.draft = String(a.draft)
  }),
  attr('merge-draft-missing', 'draft is missing', ATTRS, (a) => {
    delete a.draft
  }),
  attr('merge-wip-as-number', 'work_in_progress is 0 or 1', 'work_in_progress (boolean)', (a) => {
    a.work_in_progress = Number(a.work_in_progress)
  }),
  attr(
    'merge-wip-null-on-update',
    'work_in_progress of updates is null',
    'work_in_progress (boolean)',
    (a) => {
      a.work_in_progress = null
    },
    'update',
  ),
  attr(
    'merge-reviewer-ids-as-text',
    'reviewer_ids are text',
    'reviewer_ids (array of integer)',
    (a) => {
      a.reviewer_ids = a.reviewer_ids.map(String)
    },
  ),
  attr(
    'merge-reviewer-ids-as-objects',
    'reviewer_ids are objects',
    'reviewer_ids (array of integer)',
    (a) => {
      a.reviewer_ids = a.reviewer_ids.map((id) => ({ id }))
    },
  ),
  attr(
    'merge-reviewer-ids-null-on-close',
    'reviewer_ids is null on closing',
    'reviewer_ids (array of integer)',
    (a) => {
      a.reviewer_ids = null
    },
    'close',
  ),
  attr('merge-assignee-ids-missing', 'assignee_ids is missing', ATTRS, (a) => {
    delete a.assignee_ids
  }),
  attr(
    'merge-status-missing',
    'merge_status is missing',
    ATTRS,
    (a) => {
      delete a.merge_status
    },
    'merge',
  ),
  attr(
    'merge-source-branch-missing-when-merged',
    'source_branch is missing once merged',
    ATTRS,
    (a) => {
      delete a.source_branch
    },
    'merge',
  ),
  attr('merge-target-missing', 'target is missing', ATTRS, (a) => {
    delete a.target
  }),
  attr(
    'merge-labels-missing-from-attributes',
    'labels is missing in object_attributes',
    ATTRS,
    (a) => {
      delete a.labels
    },
  ),
  attr('merge-assignee-missing', 'assignee is missing', ATTRS, (a) => {
    delete a.assignee
  }),
  attr('merge-created-in-iso', 'created_at is in ISO 8601', TIME, (a) => {
    a.created_at = iso(a.created_at)
  }),
  attr('merge-updated-as-number', 'updated_at is a number of seconds', TIME, (a) => {
    a.updated_at = epoch(a.updated_at)
  }),
  attr(
    'merge-updated-with-fraction',
    'updated_at of merges has milliseconds',
    TIME,
    (a) => {
      a.updated_at = a.updated_at.replace(' UTC', '.000 UTC')
    },
    'merge',
  ),
  attr(
    'merge-last-commit-time-like-others',
    'timestamp of last_commit has the form YYYY-MM-DD HH:MM:SS UTC',
    ISO,
    (a) => {
      a.last_commit.timestamp = plain(a.last_commit.timestamp)
    },
  ),
  attr('merge-last-commit-author-as-text', 'author of last_commit is a name', LAST, (a) => {
    a.last_commit.author = a.last_commit.author.name
  }),
  attr(
    'merge-last-commit-author-without-email',
    'author of last_commit has no email',
    LAST,
    (a) => {
      delete a.last_commit.author.email
    },
  ),
  attr('merge-last-commit-as-id', 'last_commit is an id', LAST, (a) => {
    a.last_commit = a.last_commit.id
  }),
  attr(
    'merge-last-commit-null-when-merged',
    'last_commit is null once merged',
    LAST,
    (a) => {
      a.last_commit = null
    },
    'merge',
  ),
  attr('merge-last-commit-without-url', 'last_commit has no url', LAST, (a) => {
    delete a.last_commit.url
  }),
  merge('merge-reviewers-missing', 'reviewers is missing', TOP, (p) => {
    delete p.reviewers
  }),
  merge(
    'merge-assignees-missing-on-open',
    'assignees is missing on opening',
    TOP,
    (p) => {
      delete p.assignees
    },
    'open',
  ),
  merge(
    'merge-changes-missing',
    'changes is missing for approvals',
    TOP,
    (p) => {
      delete p.changes
    },
    ['approved', 'unapproved'],
  ),
  merge('merge-user-flat', 'the user is flat fields', TOP, (p) => {
    Object.assign(p, { user_id: p.user.id, user_name: p.user.name })
    delete p.user
  }),
  merge('merge-labels-missing', 'labels is missing at the top', TOP, (p) => {
    delete p.labels
  }),
  merge(
    'merge-label-color-missing',
    'labels have no color',
    'Label: id, title, color, ...',
    (p) => {
      for (const l of [...p.labels, ...p.object_attributes.labels]) delete l.color
    },
  ),
]
