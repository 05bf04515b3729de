import type { Random } from './random.ts'
import type { Obj } from './types.ts'
import { host, type Label, type Project, type User, type World } from './world.ts'

export const zeros = '0'.repeat(40)

export function stamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ') + ' UTC'
}

export function isoStamp(ms: number, offset: number): string {
  const local = new Date(ms + offset * 60000).toISOString().slice(0, 19)
  const a = Math.abs(offset)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(a / 60))}:${two(a % 60)}`
}

export const fullPath = (p: Project) => `${p.groupPath}/${p.path}`
export const web = (p: Project) => `${host}/${fullPath(p)}`
export const sshUrl = (p: Project) => `git@git.sandcastle.example:${fullPath(p)}.git`

export function projectPart(p: Project): Obj {
  return {
    id: p.id,
    name: p.name,
    description: p.description,
    web_url: web(p),
    avatar_url: p.avatar,
    git_ssh_url: sshUrl(p),
    git_http_url: web(p) + '.git',
    namespace: p.namespace,
    visibility_level: p.visibility,
    path_with_namespace: fullPath(p),
    default_branch: p.defaultBranch,
  }
}

export function userPart(u: User): Obj {
  return { id: u.id, name: u.name, username: u.username, avatar_url: u.avatar, email: u.email }
}

export function personPart(u: User): Obj {
  return { id: u.id, name: u.name, username: u.username, avatar_url: u.avatar }
}

export function repositoryPart(p: Project): Obj {
  return { name: p.name, url: sshUrl(p), description: p.description, homepage: web(p) }
}

export function labelPart(l: Label, p: Project): Obj {
  return {
    id: l.id,
    title: l.title,
    color: l.color,
    project_id: p.id,
    created_at: stamp(l.created),
    updated_at: stamp(l.updated),
  }
}

const subjects = [
  'Fix rounding of totals',
  'Add the import page',
  'Übersetzungen ergänzt',
  'Speed up lookups',
  'Remove dead code',
  'Handle empty parcels',
  'Bump the parser to 3.2',
  'Show times in UTC',
]
const files = [
  'src/totals.ts',
  'src/import/page.ts',
  'README.md',
  'docs/größen.md',
  'lib/lookup.rb',
  'test/lookup.test.ts',
  'config/app.yml',
  'assets/map pin.svg',
]

export function commitPart(
  w: World,
  p: Project,
  r: Random,
  id: string,
  at: number,
  author: User = r.pick(w.users),
): Obj {
  const title = r.pick(subjects)
  const touched = r.some(files, 2, 5)
  const cut = r.int(0, touched.length - 1)
  return {
    id,
    message: r.chance(0.5) ? `${title}\n\nSee the notes in #${r.int(1, 99)}.\n` : title + '\n',
    title,
    timestamp: isoStamp(at, author.offset),
    url: `${web(p)}/-/commit/${id}`,
    author: { name: author.name, email: author.email },
    added: touched.slice(0, cut),
    modified: touched.slice(cut),
    removed: r.chance(0.3) ? ['old/unused.txt'] : [],
  }
}

/** A commit without its lists of files. */
export function briefCommit(w: World, p: Project, r: Random, id: string, at: number): Obj {
  const known = p.commits.get(id) ?? commitPart(w, p, r, id, at)
  p.commits.set(id, known)
  const { added, modified, removed, ...rest } = structuredClone(known)
  return rest
}

export function runnerPart(w: World, r: Random): Obj {
  const shared = r.chance(0.5)
  return {
    id: w.id('runner', r),
    description: r.pick(['blue-runner-3', 'mac mini (lab)', 'shared-eu-1']),
    active: r.chance(0.9),
    runner_type: shared ? 'instance_type' : 'project_type',
    is_shared: shared,
    tags: r.some(['linux', 'docker', 'arm64', 'gpu'], 1, 3),
  }
}
