import { briefCommit, labelPart, personPart, projectPart, stamp, userPart, web } from './parts.ts'
import { Random } from './random.ts'
import type { Obj } from './types.ts'
import type { Project, Ticket, World } from './world.ts'

const titles = [
  'Totals are off by a cent',
  'Import page is empty',
  'Zeitzone falsch in Berichten',
  'Crash on start with no config',
  'Add dark mode',
  'Route parcels by weight',
]

function fresh(w: World, p: Project, r: Random, kind: 'issue' | 'merge', age: number): Ticket {
  const created = w.now() - age
  const draft = kind === 'merge' && r.chance(0.4)
  return {
    id: w.id(kind, r),
    iid: kind === 'issue' ? ++p.iid : ++p.miid,
    title: (draft ? 'Draft: ' : '') + r.pick(titles),
    draft,
    description: r.pick([
      'Steps to follow.\n\n1. open\n2. look',
      'See the chat → #42',
      'As agreed',
    ]),
    author: r.pick(w.users),
    assignees: r.some(w.users, 1, 3),
    reviewers: r.some(w.users, 1, 2),
    labels: r.some(p.labels, 1, 3),
    created,
    updated: created,
    position: r.int(0, 9000),
    branch: r.pick(['feature/import', 'fix-timeouts', 'patch-' + r.int(1, 60)]),
    milestone: w.id('milestone', r),
    state: 'opened',
    headSha: r.hex(40),
  }
}

/** Finds the ticket that the action is about, or makes one that was there before. */
function subject(
  w: World,
  p: Project,
  r: Random,
  kind: 'issue' | 'merge',
  action: string,
  sample: boolean,
): Ticket {
  const list = kind === 'issue' ? p.issues : p.merges
  if (action === 'open') {
    const t = fresh(w, p, r, kind, 0)
    if (!sample) list.push(t)
    return t
  }
  const wanted = action === 'reopen' ? 'closed' : 'opened'
  const found = sample ? undefined : list.filter((t) => t.state === wanted).at(-1)
  if (found) return found
  const t = fresh(w, p, r, kind, r.int(2, 90) * 86400e3 + r.int(1, 80000) * 1000)
  t.state = wanted
  t.updated = t.created + r.int(60, 7200) * 1000
  if (!sample) list.push(t)
  return t
}

const stateIds: Record<string, number> = { opened: 1, closed: 2, merged: 3 }
const nextState: Record<string, string> = {
  open: 'opened',
  close: 'closed',
  reopen: 'opened',
  merge: 'merged',
}

/** Lets the action happen to the ticket and tells what changed. */
function act(w: World, p: Project, r: Random, t: Ticket, action: string): Obj {
  if (action === 'open') {
    return {
      author_id: { previous: null, current: t.author.id },
      title: { previous: null, current: t.title },
      created_at: { previous: null, current: stamp(t.created) },
    }
  }
  const changes: Obj = {}
  const was = t.updated
  t.updated = Math.max(w.now(), was + 1000)
  changes['updated_at'] = { previous: stamp(was), current: stamp(t.updated) }
  if (action === 'update') {
    const title = t.title
    t.title = (t.draft ? 'Draft: ' : '') + r.pick(titles.filter((x) => !title.endsWith(x)))
    changes['title'] = { previous: title, current: t.title }
    const labels = t.labels
    t.labels = r.some(p.labels, 1, 3)
    changes['labels'] = {
      previous: labels.map((l) => labelPart(l, p)),
      current: t.labels.map((l) => labelPart(l, p)),
    }
  }
  const state = nextState[action]
  if (state && state !== t.state) {
    changes['state_id'] = { previous: stateIds[t.state], current: stateIds[state] }
    t.state = state
  }
  return changes
}

export function issue(w: World, p: Project, action: string, r: Random, sample: boolean): Obj {
  const t = subject(w, p, r, 'issue', action, sample)
  const changes = act(w, p, r, t, action)
  const labels = t.labels.map((l) => labelPart(l, p))
  const actor = action === 'open' ? t.author : r.pick(w.users)
  return {
    object_kind: 'issue',
    event_type: 'issue',
    user: userPart(actor),
    project: projectPart(p),
    object_attributes: {
      id: t.id,
      title: t.title,
      assignee_ids: t.assignees.map((u) => u.id),
      assignee_id: t.assignees[0]!.id,
      author_id: t.author.id,
      project_id: p.id,
      created_at: stamp(t.created),
      updated_at: stamp(t.updated),
      position: t.position,
      branch_name: t.iid % 2 ? null : `${t.iid}-work`,
      description: t.description,
      milestone_id: t.milestone,
      state: t.state,
      state_id: stateIds[t.state],
      iid: t.iid,
      url: `${web(p)}/-/issues/${t.iid}`,
      action,
      labels,
    },
    assignees: t.assignees.map(personPart),
    labels: structuredClone(labels),
    changes,
  }
}

export function confidentialIssue(
  w: World,
  p: Project,
  action: string,
  r: Random,
  sample: boolean,
): Obj {
  const payload = issue(w, p, action, r, sample)
  payload['object_attributes'].confidential = true
  return payload
}

export function mergeRequest(
  w: World,
  p: Project,
  action: string,
  r: Random,
  sample: boolean,
): Obj {
  const t = subject(w, p, r, 'merge', action, sample)
  if (action === 'merge') {
    t.draft = false
    t.title = t.title.replace('Draft: ', '')
  }
  const changes = act(w, p, r, t, action)
  const labels = t.labels.map((l) => labelPart(l, p))
  const c = briefCommit(w, p, new Random(t.headSha), t.headSha, t.created - 600e3)
  const actor = action === 'open' ? t.author : r.pick(w.users)
  return {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user: userPart(actor),
    project: projectPart(p),
    object_attributes: {
      id: t.id,
      iid: t.iid,
      target_branch: p.defaultBranch,
      source_branch: t.branch,
      source_project_id: p.id,
      author_id: t.author.id,
      assignee_ids: t.assignees.map((u) => u.id),
      assignee_id: t.assignees[0]!.id,
      reviewer_ids: t.reviewers.map((u) => u.id),
      title: t.title,
      created_at: stamp(t.created),
      updated_at: stamp(t.updated),
      milestone_id: t.milestone,
      state: t.state,
      state_id: stateIds[t.state],
      merge_status:
        action === 'merge'
          ? 'can_be_merged'
          : r.pick(['can_be_merged', 'unchecked', 'cannot_be_merged']),
      target_project_id: p.id,
      description: t.description,
      url: `${web(p)}/-/merge_requests/${t.iid}`,
      source: projectPart(p),
      target: projectPart(p),
      last_commit: {
        id: c['id'],
        message: c['message'],
        timestamp: c['timestamp'],
        url: c['url'],
        author: c['author'],
      },
      work_in_progress: t.draft,
      draft: t.draft,
      action,
      assignee: personPart(t.assignees[0]!),
      labels,
    },
    labels: structuredClone(labels),
    changes,
    assignees: t.assignees.map(personPart),
    reviewers: t.reviewers.map(personPart),
  }
}
