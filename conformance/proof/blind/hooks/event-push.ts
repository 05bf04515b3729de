import { commitPart, projectPart, repositoryPart, zeros } from './parts.ts'
import type { Random } from './random.ts'
import type { Obj } from './types.ts'
import type { Project, World } from './world.ts'

export function push(w: World, p: Project, _action: string, r: Random, sample: boolean): Obj {
  const u = r.pick(w.users)
  const branch = r.pick([...p.heads.keys()])
  const now = w.now()
  const n = r.int(1, 4)
  const commits: Obj[] = []
  for (let i = 0; i < n; i++) {
    commits.push(commitPart(w, p, r, r.hex(40), now - (n - i) * r.int(60, 900) * 1000))
  }
  const before = p.heads.get(branch)!
  const after: string = commits[n - 1]!.id
  if (!sample) {
    p.heads.set(branch, after)
    for (const c of commits) p.commits.set(c['id'], structuredClone(c))
  }
  return {
    object_kind: 'push',
    event_name: 'push',
    before,
    after,
    ref: `refs/heads/${branch}`,
    checkout_sha: after,
    user_id: u.id,
    user_name: u.name,
    user_username: u.username,
    user_email: u.email,
    user_avatar: u.avatar,
    project_id: p.id,
    project: projectPart(p),
    commits,
    total_commits_count: n,
    repository: repositoryPart(p),
  }
}

export function tagPush(w: World, p: Project, action: string, r: Random, sample: boolean): Obj {
  const u = r.pick(w.users)
  const gone = action === 'delete'
  let name = `v${r.int(0, 4)}.${r.int(0, 30)}.${r.int(0, 9)}`
  let sha = r.pick([...p.heads.values()])
  if (gone && p.tags.size > 0) [name, sha] = r.pick([...p.tags])
  if (!sample) gone ? p.tags.delete(name) : p.tags.set(name, sha)
  return {
    object_kind: 'tag_push',
    event_name: 'tag_push',
    before: gone ? sha : zeros,
    after: gone ? zeros : sha,
    ref: `refs/tags/${name}`,
    checkout_sha: gone ? null : sha,
    user_id: u.id,
    user_name: u.name,
    user_avatar: u.avatar,
    project_id: p.id,
    project: projectPart(p),
    commits: [],
    total_commits_count: 0,
    repository: repositoryPart(p),
  }
}
