import { Random } from './random.ts'
import type { Obj } from './types.ts'

export interface User {
  id: number
  name: string
  username: string
  email: string
  avatar: string
  offset: number
}

export interface Label {
  id: number
  title: string
  color: string
  created: number
  updated: number
}

export interface Ticket {
  id: number
  iid: number
  title: string
  description: string
  author: User
  assignees: User[]
  reviewers: User[]
  labels: Label[]
  created: number
  updated: number
  position: number
  branch: string
  milestone: number
  state: string
  draft: boolean
  headSha: string
}

export interface Project {
  id: number
  name: string
  path: string
  description: string
  namespace: string
  groupPath: string
  avatar: string | null
  visibility: number
  defaultBranch: string
  labels: Label[]
  heads: Map<string, string>
  tags: Map<string, string>
  /** what has been told of commits, by id */
  commits: Map<string, Obj>
  issues: Ticket[]
  merges: Ticket[]
  pages: { title: string; slug: string; content: string }[]
  releases: { id: number; tag: string; name: string; created: number; sha: string }[]
  iid: number
  miid: number
}

export const host = 'https://git.sandcastle.example'

const people: [string, string, number][] = [
  ['Amira Haddad', 'amira.h', 120],
  ['José Núñez', 'jnunez', -180],
  ['Li Wei', 'liwei', 480],
  ['Søren Kjær', 'skjaer', 60],
  ['Priya Raman', 'priya_r', 330],
  ['Tom Baker', 'tbaker', 0],
  ['Oksana Шевченко', 'oksana-s', 120],
  ['Grace Oduya', 'grace.oduya', 180],
]

const names: [string, string, string, string][] = [
  ['Harbour Ledger', 'harbour-ledger', 'Tide Works', 'tide-works'],
  ['Mapmaker', 'mapmaker', 'Cartography', 'cartography'],
  ['Parcel Router', 'parcel-router', 'Post Office', 'post-office'],
  ['Quiet Clock', 'quiet-clock', 'Amira Haddad', 'amira.h'],
]

export class World {
  readonly users: User[]
  readonly projects: Project[]
  private ids = new Map<string, number>()

  readonly seed: string
  readonly now: () => number
  constructor(seed: string, now: () => number) {
    this.seed = seed
    this.now = now

    const r = new Random(seed + ':world')
    let uid = r.int(11, 400)
    this.users = people.map(([name, username, offset]) => {
      uid += r.int(1, 90)
      return {
        id: uid,
        name,
        username,
        offset,
        email: `${username}@sandcastle.example`,
        avatar: `${host}/uploads/-/system/user/avatar/${uid}/avatar.png`,
      }
    })
    let pid = r.int(1000, 9000)
    this.projects = r.some(names, 2, 2).map(([name, path, namespace, groupPath], i) => {
      pid += r.int(3, 700)
      return this.makeProject(r, pid, name, path, namespace, groupPath, i)
    })
  }

  private makeProject(
    r: Random,
    id: number,
    name: string,
    path: string,
    namespace: string,
    groupPath: string,
    i: number,
  ): Project {
    const main = i === 0 ? 'main' : 'develop'
    const heads = new Map<string, string>()
    for (const b of [main, 'feature/import', 'fix-timeouts']) heads.set(b, r.hex(40))
    const start = this.now() - r.int(200, 900) * 86400e3
    return {
      id,
      name,
      path,
      namespace,
      groupPath,
      heads,
      description: r.pick(['Keeps the books in order', 'Draws maps – quickly', 'Routes parcels']),
      avatar: i === 0 ? `${host}/uploads/-/system/project/avatar/${id}/logo.png` : null,
      visibility: i === 0 ? 0 : 20,
      defaultBranch: main,
      labels: ['bug', 'backend', 'needs triage', 'größe::XL', 'docs'].map((title) => ({
        id: this.id('label', r),
        title,
        color: '#' + r.hex(6),
        created: start + r.int(1, 900) * 1000,
        updated: start + r.int(1000, 90000) * 1000,
      })),
      tags: new Map(),
      commits: new Map(),
      issues: [],
      merges: [],
      pages: [],
      releases: [],
      iid: r.int(4, 90),
      miid: r.int(4, 90),
    }
  }

  /** Ids grow over time and every kind has a range of its own. */
  id(kind: string, r: Random): number {
    const base = [...kind].reduce((s, c) => s + c.charCodeAt(0), 0) * 37
    const id = (this.ids.get(kind) ?? base) + r.int(1, 9)
    this.ids.set(kind, id)
    return id
  }

  project(id: unknown): Project | undefined {
    const key = String(id)
    return this.projects.find((p) => String(p.id) === key || `${p.groupPath}/${p.path}` === key)
  }
}
