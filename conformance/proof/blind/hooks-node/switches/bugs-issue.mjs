// Bugs in issue payloads.
import { epoch, iso, only, violation as v } from './make.mjs'

const WHERE = 'Issue payload'
const both = ['issue', 'confidential']
const ATTRS = 'Issue payload: object_attributes: id, title, assignee_ids, ...'
const TIME = 'Timestamps in issue payloads have the form YYYY-MM-DD HH:MM:SS UTC'
const ACTION = 'action values: open, update, close, reopen'
const CHANGES = 'changes: map from changed field name to an object with previous and current'
const LABEL = 'Label: id, title, color, project_id, created_at, updated_at'
const USER = 'User (object form): id (integer), name, username, avatar_url, email'
const issue = (name, does, breaks, change, actions) =>
  v(name, WHERE, does, breaks, only(both, change, actions))
const attr = (name, does, breaks, change, actions) =>
  issue(
    name,
    does,
    breaks,
    (p, c) => {
      change(p.object_attributes, p, c)
    },
    actions,
  )
const eachChange = (p, change) => {
  for (const key of Object.keys(p.changes)) p.changes[key] = change(p.changes[key])
}

export const issueBugs = [
  issue(
    'issue-event-type-missing',
    'event_type is missing',
    'object_kind, event_type: both issue',
    (p) => {
      delete p.event_type
    },
  ),
  v(
    'issue-event-type-confidential',
    WHERE,
    'event_type of confidential issues is confidential_issue',
    'object_kind, event_type: strings, both issue',
    only('confidential', (p) => {
      p.event_type = 'confidential_issue'
    }),
  ),
  issue(
    'issue-kind-with-action',
    'object_kind of updates is issue_update',
    'object_kind: issue',
    (p) => {
      p.object_kind = 'issue_update'
    },
    'update',
  ),
  attr('issue-action-in-past-tense', 'action is opened, updated, closed, reopened', ACTION, (a) => {
    a.action = { open: 'opened', update: 'updated', close: 'closed', reopen: 'reopened' }[a.action]
  }),
  attr(
    'issue-reopen-says-open',
    'action of a reopened issue is opened',
    ACTION,
    (a) => {
      a.action = 'opened'
    },
    'reopen',
  ),
  attr(
    'issue-action-missing-on-update',
    'action is missing for updates',
    ACTION,
    (a) => {
      delete a.action
    },
    'update',
  ),
  attr(
    'issue-close-says-update',
    'action of a closed issue is update',
    'action values: close; issue closed',
    (a) => {
      a.action = 'update'
    },
    'close',
  ),
  attr('issue-action-capitalised', 'action begins with a capital', ACTION, (a) => {
    a.action = a.action[0].toUpperCase() + a.action.slice(1)
  }),
  attr(
    'issue-assignee-ids-as-text',
    'assignee_ids are text',
    'assignee_ids (array of integer)',
    (a) => {
      a.assignee_ids = a.assignee_ids.map(String)
    },
  ),
  attr(
    'issue-assignee-ids-joined',
    'assignee_ids is one text',
    'assignee_ids (array of integer)',
    (a) => {
      a.assignee_ids = a.assignee_ids.join(',')
    },
  ),
  attr('issue-position-as-text', 'position is text', 'position (integer)', (a) => {
    a.position = String(a.position)
  }),
  attr(
    'issue-position-null-on-open',
    'position of an opened issue is null',
    'position (integer)',
    (a) => {
      a.position = null
    },
    'open',
  ),
  attr('issue-state-id-in-words', 'state_id is the state', 'state_id is an integer', (a) => {
    a.state_id = a.state
  }),
  attr(
    'issue-state-id-null-when-closed',
    'state_id of a closed issue is null',
    'state_id is an integer',
    (a) => {
      a.state_id = null
    },
    'close',
  ),
  attr('issue-state-says-open', 'state of an open issue is "open"', 'Issue state: opened', (a) => {
    if (a.state === 'opened') a.state = 'open'
  }),
  attr('issue-branch-name-missing', 'branch_name is missing when null', ATTRS, (a) => {
    delete a.branch_name
  }),
  attr(
    'issue-labels-missing-from-attributes',
    'labels is missing in object_attributes on closing',
    ATTRS,
    (a) => {
      delete a.labels
    },
    'close',
  ),
  attr('issue-iid-missing', 'iid is missing', ATTRS, (a) => {
    delete a.iid
  }),
  attr(
    'issue-url-missing-on-reopen',
    'url is missing for reopened issues',
    ATTRS,
    (a) => {
      delete a.url
    },
    'reopen',
  ),
  attr('issue-author-id-named-author', 'author_id is called author', ATTRS, (a) => {
    a.author = a.author_id
    delete a.author_id
  }),
  attr('issue-created-in-iso', 'created_at is in ISO 8601', TIME, (a) => {
    a.created_at = iso(a.created_at)
  }),
  attr(
    'issue-updated-in-iso-on-update',
    'updated_at of updates is in ISO 8601',
    TIME,
    (a) => {
      a.updated_at = iso(a.updated_at)
    },
    'update',
  ),
  attr('issue-times-with-offset', 'times end with +0000 instead of UTC', TIME, (a) => {
    a.created_at = a.created_at.replace('UTC', '+0000')
    a.updated_at = a.updated_at.replace('UTC', '+0000')
  }),
  attr('issue-updated-without-zone', 'updated_at has no UTC', TIME, (a) => {
    a.updated_at = a.updated_at.replace(' UTC', '')
  }),
  issue('issue-label-time-in-iso', 'created_at of labels is in ISO 8601', TIME, (p) => {
    for (const l of p.labels) l.created_at = iso(l.created_at)
  }),
  issue(
    'issue-label-day-and-month-swapped',
    'updated_at of labels has day and month swapped',
    TIME,
    (p) => {
      for (const l of p.labels) l.updated_at = l.updated_at.replace(/-(\d\d)-(\d\d) /, '-$2-$1 ')
    },
  ),
  issue('issue-label-project-id-missing', 'labels have no project_id', LABEL, (p) => {
    for (const l of p.labels) delete l.project_id
  }),
  issue('issue-second-label-without-color', 'labels after the first have no color', LABEL, (p) => {
    p.labels.slice(1).forEach((l) => {
      delete l.color
    })
  }),
  issue('issue-labels-as-titles', 'labels are titles', 'labels: array of Label', (p) => {
    p.labels = p.labels.map((l) => l.title)
  }),
  issue(
    'issue-changes-missing-on-close',
    'changes is missing on closing',
    CHANGES,
    (p) => {
      delete p.changes
    },
    'close',
  ),
  issue('issue-changes-as-pairs', 'changes has arrays of two values', CHANGES, (p) =>
    eachChange(p, (x) => [x.previous, x.current]),
  ),
  issue('issue-changes-as-list', 'changes is an array of field names', CHANGES, (p) => {
    p.changes = Object.keys(p.changes)
  }),
  issue('issue-changes-swapped', 'previous and current are swapped', CHANGES, (p) =>
    eachChange(p, (x) => ({ previous: x.current, current: x.previous })),
  ),
  issue('issue-changes-previous-missing', 'previous is missing when null', CHANGES, (p) =>
    eachChange(p, (x) => {
      if (x.previous === null) delete x.previous
      return x
    }),
  ),
  issue(
    'issue-changes-from-and-to',
    'changes has from and to',
    CHANGES,
    (p) => eachChange(p, (x) => ({ from: x.previous, to: x.current })),
    'update',
  ),
  issue('issue-changes-time-in-iso', 'updated_at in changes is in ISO 8601', TIME, (p) => {
    const at = p.changes.updated_at
    if (at) p.changes.updated_at = { previous: iso(at.previous), current: iso(at.current) }
  }),
  issue(
    'issue-title-stale-on-update',
    'title of an update is the one before it',
    'changes: previous and current',
    (p) => {
      p.object_attributes.title = p.changes.title.previous
    },
    'update',
  ),
  issue(
    'issue-previous-change-repeated',
    'changes of a reopening are those of the event before',
    CHANGES,
    (p, c) => {
      if (c.last) p.changes = c.last.changes
    },
    'reopen',
  ),
  issue(
    'issue-assignees-as-object',
    'assignees is an object by id',
    'assignees: array of id, name, username, avatar_url',
    (p) => {
      p.assignees = Object.fromEntries(p.assignees.map((a) => [a.id, a]))
    },
  ),
  issue(
    'issue-second-assignee-without-username',
    'assignees after the first have no username',
    'assignees: array of id, name, username, avatar_url',
    (p) => {
      p.assignees.slice(1).forEach((a) => {
        delete a.username
      })
    },
  ),
  issue('issue-user-email-missing', 'user has no email', USER, (p) => {
    delete p.user.email
  }),
  issue('issue-user-id-as-text', 'id of the user is text', USER, (p) => {
    p.user.id = String(p.user.id)
  }),
  issue(
    'issue-user-null-on-close',
    'user is null on closing',
    'user: User',
    (p) => {
      p.user = null
    },
    'close',
  ),
  attr(
    'issue-project-id-of-first',
    'project_id is the one of the first project',
    'project_id',
    (a, p, c) => {
      a.project_id = c.first.id
    },
  ),
]
