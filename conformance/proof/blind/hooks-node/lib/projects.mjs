// Two projects with different data, and the things in them.
import { randomBytes } from 'node:crypto'
import { on } from './registry.mjs'

export const utc = (date) => `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`

export const sha = () => randomBytes(on('sha256-commit-ids') ? 32 : 20).toString('hex')

export const zeros = () => '0'.repeat(on('sha256-commit-ids') ? 64 : 40)

export const ago = (seconds) => new Date(Date.now() - seconds * 1000)

function isoTime(date) {
  if (on('commit-times-with-offset')) {
    return `${new Date(date.getTime() + 7_200_000).toISOString().slice(0, 19)}+02:00`
  }
  if (on('commit-times-with-fraction')) return date.toISOString()
  if (on('commit-times-basic-format'))
    return date.toISOString().slice(0, 19).replace(/[-:]/g, '') + 'Z'
  return `${date.toISOString().slice(0, 19)}+00:00`
}

const MESSAGES = [
  [
    'Fix the parser for empty lines',
    'Fix the parser for empty lines\n\nSee #12 & "notes" <draft>.\n',
  ],
  ['Füge Übersicht hinzu – 概要 🚀', 'Füge Übersicht hinzu – 概要 🚀\n'],
  ['Remove the old loader', 'Remove the old loader\n\nCo-authored-by: Ana <ana@example.org>\n'],
]

export class Project {
  constructor({ id, path, name, description, visibility, branch, users, avatar }) {
    Object.assign(this, { id, path, name, description, visibility, branch, users, avatar })
    this.web = `https://git.example.org/${path}`
    this.head = sha()
    this.previousHead = sha()
    this.counts = { commit: 0, issue: id * 10, merge: id * 20, pipeline: id * 30, build: id * 40 }
    this.tags = new Map()
    this.lists = {
      issue: [],
      merge: [],
      pipeline: [],
      build: [],
      deployment: [],
      wiki: [],
      release: [],
      branch: [],
    }
    this.last = new Map()
    this.numbers = { issue: 0, merge: 0, tag: 0, branch: 0, wiki: 0, release: 0 }
    const day = (n, h) => `2023-11-${n} ${h}:30:45 UTC`
    this.labels = [
      {
        id: id + 1,
        title: 'bug',
        color: '#d9534f',
        project_id: id,
        created_at: day(14, 15),
        updated_at: day(25, 17),
      },
      {
        id: id + 2,
        title: 'Größe',
        color: '#428bca',
        project_id: id,
        created_at: day(15, 19),
        updated_at: day(26, 21),
      },
    ]
  }

  number(kind) {
    this.counts[kind] += 1
    return this.counts[kind]
  }

  user(n = 0) {
    const u = this.users[n]
    const avatar = on('avatars-as-paths') ? `/uploads/user/${u.id}/avatar.png` : u.avatar_url
    return { ...u, avatar_url: avatar, email: on('emails-redacted') ? '[REDACTED]' : u.email }
  }

  shortUser(n = 0) {
    const { id, name, username, avatar_url: avatar } = this.user(n)
    return { id, name, username, avatar_url: avatar }
  }

  author(n = 0) {
    return { name: this.users[n].name, email: this.users[n].email }
  }

  plainProject() {
    return {
      id: this.id,
      name: this.name,
      description: this.description,
      web_url: this.web,
      avatar_url: on('project-avatar-null') ? null : this.avatar,
      git_ssh_url: `git@git.example.org:${this.path}.git`,
      git_http_url: `${this.web}.git`,
      namespace: this.path.split('/')[0],
      visibility_level: on('projects-public') ? 20 : this.visibility,
      path_with_namespace: this.path,
      default_branch: this.branch,
    }
  }

  repository() {
    return {
      name: this.name,
      url: `git@git.example.org:${this.path}.git`,
      description: this.description,
      homepage: this.web,
    }
  }

  /** A commit without its lists of paths; moves no branch. */
  shortCommit(id = this.head, n = 0, time = ago(120)) {
    const [title, message] = MESSAGES[n % 3]
    return {
      id,
      message,
      title,
      timestamp: isoTime(time),
      url: `${this.web}/-/commit/${id}`,
      author: this.author(n % 2),
    }
  }

  commit(id, n, time) {
    return {
      ...this.shortCommit(id, n, time),
      added: n === 1 ? ['docs/übersicht.md', 'src/new file.js'] : [`src/part${n}.js`],
      modified: ['README.md', 'src/main.js'],
      removed: n === 2 ? ['src/loader.js'] : [],
    }
  }

  newCommits(count) {
    const out = []
    this.previousHead = this.head
    for (let n = 0; n < count; n += 1) {
      this.head = sha()
      out.push(this.commit(this.head, n, ago(60 * (count - n))))
    }
    return out
  }
}

export function makeProjects() {
  const user = (id, name, username) => ({
    id,
    name,
    username,
    avatar_url: `https://git.example.org/avatars/${id}.png`,
    email: `${username}@example.org`,
  })
  const branch = on('default-branch-is-master') ? 'master' : 'main'
  const list = [
    new Project({
      id: 1017,
      path: 'tools/gizmo-store',
      name: 'Gizmo Store',
      description: 'Stores gizmos & größere Dinge',
      visibility: 0,
      branch,
      avatar: 'https://git.example.org/avatars/p1017.png',
      users: [user(31, 'Zoë Lindqvist', 'zoe'), user(32, 'Omar Haddad', 'omar')],
    }),
    new Project({
      id: 2044,
      path: 'lab/lantern',
      name: 'Lantern',
      description: 'Lights the way',
      visibility: 10,
      branch: 'trunk',
      avatar: null,
      users: [user(57, 'Mina Sato', 'mina'), user(58, 'Paul Okoro', 'paul')],
    }),
  ]
  return new Map(list.map((p) => [p.id, p]))
}
