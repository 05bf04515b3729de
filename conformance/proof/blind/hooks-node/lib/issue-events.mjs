// Issues and merge requests.
import { on } from './registry.mjs'
import { ago, utc } from './projects.mjs'

const STATES = { opened: 1, closed: 2, merged: 3, locked: 4 }

function settle(thing, changes, state) {
  if (thing.state === state) return
  if (on('changes-name-the-state')) changes.state = { previous: thing.state, current: state }
  changes.state_id = { previous: STATES[thing.state], current: STATES[state] }
  thing.state = state
}

function newIssue(project, confidential) {
  project.numbers.issue += 1
  const now = new Date()
  const issue = {
    id: project.number('issue'),
    iid: project.numbers.issue,
    confidential,
    state: 'opened',
    title: 'Größere Schrift',
    description: 'The text is "small" & hard to read – 読みにくい.',
    created: now,
    updated: now,
    edits: 0,
    labels: [project.labels[0]],
  }
  project.lists.issue.push(issue)
  return issue
}

const lastOf = (list, fits) => list.filter(fits).at(-1)

export function issue(project, action, confidential) {
  const all = project.lists.issue.filter((i) => i.confidential === confidential)
  let thing
  if (action === 'reopen') thing = lastOf(all, (i) => i.state === 'closed')
  else if (action !== 'open') thing = lastOf(all, (i) => i.state === 'opened')
  if (!thing) {
    thing = newIssue(project, confidential)
    if (action !== 'open') thing.created = thing.updated = ago(86400)
    if (action === 'reopen') thing.state = 'closed'
  }
  const changes = {}
  const before = utc(thing.updated)
  if (action !== 'open') thing.updated = new Date()
  if (action === 'close') settle(thing, changes, 'closed')
  if (action === 'reopen') settle(thing, changes, 'opened')
  if (action === 'update') {
    thing.edits += 1
    const title = `Größere Schrift (${thing.edits})`
    changes.title = { previous: thing.title, current: title }
    thing.title = title
    if (!on('no-labels')) changes.labels = { previous: thing.labels, current: project.labels }
    thing.labels = project.labels
  }
  if (action === 'open') {
    if (!on('changes-empty-on-open')) {
      changes.title = { previous: null, current: thing.title }
      changes.author_id = { previous: null, current: project.users[0].id }
      changes.updated_at = { previous: null, current: utc(thing.updated) }
    }
  } else {
    changes.updated_at = { previous: before, current: utc(thing.updated) }
  }
  return issuePayload(project, thing, action, changes)
}

function issuePayload(project, thing, action, changes) {
  const nobody = on('issues-without-assignees')
  const labels = on('no-labels') ? [] : thing.labels
  const who = nobody ? [] : [project.shortUser(0), project.shortUser(1)]
  return {
    object_kind: 'issue',
    event_type: 'issue',
    user: project.user(),
    project: project.plainProject(),
    object_attributes: {
      id: thing.id,
      title: thing.title,
      assignee_ids: who.map((u) => u.id),
      assignee_id: nobody ? null : who[0].id,
      author_id: project.users[0].id,
      project_id: project.id,
      created_at: utc(thing.created),
      updated_at: utc(thing.updated),
      position: 0,
      branch_name: on('issue-branch-name-set') ? `${thing.iid}-schrift` : null,
      description: on('descriptions-empty') ? '' : thing.description,
      milestone_id: on('milestones-null') ? null : 12,
      state: thing.state,
      state_id: STATES[thing.state],
      iid: thing.iid,
      url: `${project.web}/-/issues/${thing.iid}`,
      action,
      labels,
    },
    assignees: who,
    labels,
    changes,
  }
}

function newMerge(project) {
  project.numbers.merge += 1
  const now = new Date()
  const merge = {
    id: project.number('merge'),
    iid: project.numbers.merge,
    state: 'opened',
    title: 'Add the overview – 概要',
    created: now,
    updated: now,
    edits: 0,
    head: project.head,
    labels: [project.labels[0]],
  }
  project.lists.merge.push(merge)
  return merge
}

export function mergeRequest(project, action) {
  const all = project.lists.merge
  let thing
  if (action === 'reopen') thing = lastOf(all, (m) => m.state === 'closed')
  else if (action !== 'open') thing = lastOf(all, (m) => m.state === 'opened')
  if (!thing) {
    thing = newMerge(project)
    if (action !== 'open') thing.created = thing.updated = ago(86400)
    if (action === 'reopen') thing.state = 'closed'
  }
  const changes = {}
  const before = utc(thing.updated)
  if (action !== 'open') thing.updated = new Date()
  if (action === 'close') settle(thing, changes, 'closed')
  if (action === 'reopen') settle(thing, changes, 'opened')
  if (action === 'merge') settle(thing, changes, 'merged')
  if (action === 'update') {
    thing.edits += 1
    const title = `Add the overview – 概要 (${thing.edits})`
    changes.title = { previous: thing.title, current: title }
    thing.title = title
  }
  if (action !== 'open') changes.updated_at = { previous: before, current: utc(thing.updated) }
  else if (!on('changes-empty-on-open')) changes.title = { previous: null, current: thing.title }
  return mergePayload(project, thing, action, changes)
}

export function mergeSummary(project, thing) {
  return {
    id: thing.id,
    iid: thing.iid,
    title: thing.title,
    source_branch: 'overview',
    source_project_id: project.id,
    target_branch: project.branch,
    target_project_id: project.id,
    state: thing.state,
    merge_status: 'can_be_merged',
    url: `${project.web}/-/merge_requests/${thing.iid}`,
  }
}

export function someMerge(project) {
  return project.lists.merge.at(-1) || newMerge(project)
}

function mergePayload(project, thing, action, changes) {
  const nobody = on('merge-requests-without-assignee')
  const labels = on('no-labels') ? [] : thing.labels
  const who = nobody ? [] : [project.user(0)]
  const reviewers = on('merge-requests-without-reviewers') ? [] : [project.user(1), project.user(0)]
  const draft = on('merge-requests-are-drafts')
  const source = project.plainProject()
  if (on('merge-requests-from-a-fork')) {
    Object.assign(source, {
      id: 9001,
      namespace: 'omar',
      path_with_namespace: 'omar/fork',
      name: 'Fork',
    })
  }
  const { title: dropped, ...lastCommit } = project.shortCommit(thing.head, 1)
  if (on('last-commit-with-title')) lastCommit.title = dropped
  const { iid, id, title, ...rest } = mergeSummary(project, thing)
  return {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user: project.user(),
    project: project.plainProject(),
    object_attributes: {
      id,
      iid,
      ...rest,
      source_project_id: source.id,
      author_id: project.users[0].id,
      assignee_ids: who.map((u) => u.id),
      assignee_id: nobody ? null : who[0].id,
      reviewer_ids: reviewers.map((u) => u.id),
      title: draft ? `Draft: ${title}` : title,
      created_at: utc(thing.created),
      updated_at: utc(thing.updated),
      milestone_id: on('milestones-null') ? null : 12,
      state_id: STATES[thing.state],
      description: on('descriptions-empty') ? '' : 'Adds the overview & more.',
      source,
      target: project.plainProject(),
      last_commit: lastCommit,
      work_in_progress: draft,
      draft,
      action,
      assignee: nobody ? null : who[0],
      labels,
    },
    labels,
    changes,
    assignees: who,
    reviewers,
  }
}
