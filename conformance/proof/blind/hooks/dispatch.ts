import { actionFor, eventKinds } from './events.ts'
import { letter, type Post } from './letters.ts'
import { projectPart } from './parts.ts'
import { Random } from './random.ts'
import { Sender, type Answer, type Letter } from './sender.ts'
import { rewrites } from './switches.ts'
import { flagNames, type Flag, type Hook, type Obj } from './types.ts'
import { silent } from './violations-api.ts'
import type { Project, World } from './world.ts'

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))

interface Made {
  payload: Obj
  flag: Flag
  action: string
}

/** Makes events happen and delivers them to the hooks that want them. */
export class Dispatch {
  readonly hooks: Hook[] = []
  private sender = new Sender()
  private n = 0
  private lastAt = 0
  private previous = new Map<Flag, Made>()
  private lastFlag: Flag = 'push_events'
  private leftover: Made | undefined
  private trusted = new Set<string>()

  readonly world: World
  readonly on: (name: string) => boolean
  readonly accessToken: string
  constructor(world: World, on: (name: string) => boolean, accessToken: string) {
    this.world = world
    this.on = on
    this.accessToken = accessToken
  }

  private make(p: Project, flag: Flag, word: unknown, test: boolean): Made {
    this.n += 1
    const r = new Random(`${this.world.seed}:${this.n}`)
    const action = actionFor(flag, word, r)
    const payload = eventKinds[flag].build(this.world, p, action, r, test)
    const other = projectPart(this.world.projects.find((x) => x !== p)!)
    for (const w of rewrites) {
      if (!this.on(w.name) || !w.flags.includes(flag)) continue
      w.change(payload, { flag, action, test, n: this.n, other })
    }
    return { payload, flag, action }
  }

  /** Something happens in a project. */
  async happen(project: Project, flag: Flag, word: unknown): Promise<void> {
    const { on } = this
    let p = project
    let made = this.make(p, flag, word, false)
    const since = Date.now() - this.lastAt
    this.lastAt = Date.now()
    const headerFlag = on('header-one-behind') ? this.lastFlag : flag
    this.lastFlag = flag
    if (on('events-to-other-project') && this.n % 5 === 0) {
      p = this.world.projects.find((x) => x !== p)!
    }
    if (on('second-project-silent') && p === this.world.projects[1]) return
    if (on('every-fourth-event-lost') && this.n % 4 === 0) return
    if (on('quick-events-lost') && since < 100) return
    for (const [name, [f, a]] of Object.entries(silent)) {
      if (on(name) && f === flag && a === made.action) return
    }
    if (on('one-event-behind')) {
      const stale = this.previous.get(flag)
      this.previous.set(flag, made)
      made = stale ?? made
    }
    if (on('event-after-test-is-sample') && this.leftover) {
      made = { ...this.leftover }
      this.leftover = undefined
    }
    if (on('deliver-late')) await sleep(1500)
    if (on('deliver-out-of-order') && this.n % 2 === 1) await sleep(400)
    let wanted = this.hooks.filter((h) => this.wants(h, flag, p))
    if (on('only-first-hook')) wanted = wanted.slice(0, 1)
    if (on('only-newest-hook')) {
      const newest = this.hooks.filter((h) => h.project === p.id).at(-1)
      wanted = wanted.filter((h) => h === newest)
    }
    const posts = wanted.map((hook) => this.post(hook, made, headerFlag, false))
    if (on('deliver-newest-hook-first')) {
      for (const post of posts.reverse()) await this.deliver(post, made.payload)
    } else if (on('failure-blocks-others')) {
      for (const post of posts) {
        const { status } = await this.deliver(post, made.payload)
        if (status < 200 || status > 299) break
      }
    } else await Promise.all(posts.map((post) => this.deliver(post, made.payload)))
  }

  private wants(h: Hook, asked: Flag, p: Project): boolean {
    const { on } = this
    if (h.project !== p.id && !on('events-of-all-projects')) return false
    if (on('created-hook-settles') && Date.now() - h.createdAt < 150) return false
    if (on('hook-forgotten') && h.delivered >= 4) return false
    if (on('test-turns-events-off') && h.tested) return false
    let flag = asked
    if (on('job-pipeline-flags-swapped')) {
      if (asked === 'job_events') flag = 'pipeline_events'
      if (asked === 'pipeline_events') flag = 'job_events'
    }
    if (on('tags-follow-push-flag') && asked === 'tag_push_events') flag = 'push_events'
    if (on('releases-follow-tag-flag') && asked === 'releases_events') flag = 'tag_push_events'
    const name = asked.replaceAll('_', '-')
    if (on(name + '-ignored')) return false
    if (on(name + '-forced')) return true
    if (on('push-true-ignored') && asked === 'push_events' && h.saidPush) return false
    let { flags } = h
    if (on('newest-flags-for-all')) {
      flags = this.hooks.filter((x) => x.project === h.project).at(-1)!.flags
    }
    if (on('only-first-flag') && flagNames.find((f) => flags[f]) !== flag) return false
    return flags[flag]
  }

  private post(hook: Hook, made: Made, headerFlag: Flag, test: boolean): Post {
    return {
      hook,
      hooks: this.hooks,
      flag: made.flag,
      headerFlag,
      action: made.action,
      test,
      accessToken: this.accessToken,
      trusted: this.trusted,
    }
  }

  private async deliver(post: Post, payload: Obj): Promise<Answer> {
    const { on } = this
    post.hook.delivered += 1
    const mail = letter(post, payload, on)
    let answer = await this.sender.send(mail)
    if (on('ssl-falls-back') && answer.status === 0 && mail.verify === 'yes') {
      answer = await this.sender.send({ ...mail, verify: 'no' })
    }
    if (on('deliver-redirects')) answer = await this.follow(mail, answer)
    if (on('ack-only-200') && answer.status !== 200 && answer.status !== 0) {
      await sleep(100)
      answer = await this.sender.send(mail)
    }
    const acknowledged = () => answer.status >= 200 && answer.status < 300
    for (let i = 0; on('deliver-retries') && !post.test && i < 2 && !acknowledged(); i++) {
      await sleep(400 * (i + 1))
      answer = await this.sender.send(mail)
    }
    return answer
  }

  private async follow(mail: Letter, answer: Answer): Promise<Answer> {
    if (![307, 308].includes(answer.status) || !answer.location) return answer
    const next = new URL(answer.location, mail.url)
    return next.origin === mail.url.origin ? this.sender.send({ ...mail, url: next }) : answer
  }

  /** Delivers a sample of an event to one hook, or as the switches have it. */
  async test(hook: Hook, asked: Flag): Promise<Answer> {
    const { on } = this
    const again = hook.tested
    hook.tested = true
    let flag = on('test-always-push') ? ('push_events' as Flag) : asked
    if (on('test-job-delivers-pipeline') && asked === 'job_events') flag = 'pipeline_events'
    if (on('test-turns-flag-on')) hook.flags[asked] = true
    const fine = { status: 200, body: '' }
    if (on('test-nothing-sent') || (on('test-once') && again)) return fine
    const wanted = this.world.projects.find((x) => x.id === hook.project)
    const p = on('test-leaks-other-project')
      ? this.world.projects.find((x) => x !== wanted)!
      : (wanted ?? this.world.projects[0]!)
    const made = this.make(p, flag, undefined, true)
    this.leftover = made
    const own = this.hooks.filter((h) => h.project === hook.project)
    let targets = [hook]
    if (on('test-all-hooks')) targets = own
    if (on('test-newest-hook')) targets = own.slice(-1)
    if (on('test-twice')) targets = [hook, hook]
    const answers = await Promise.all(
      targets.map((h) => this.deliver(this.post(h, made, made.flag, true), made.payload)),
    )
    return answers[0] ?? fine
  }

  close(): void {
    this.sender.close()
  }
}
