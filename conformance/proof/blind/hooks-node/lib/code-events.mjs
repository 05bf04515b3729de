// Push and tag push.
import { on } from './registry.mjs'
import { sha, zeros } from './projects.mjs'

function pusher(project) {
  const user = project.user()
  return {
    user_id: user.id,
    user_name: user.name,
    user_username: user.username,
    user_email: user.email,
    user_avatar: user.avatar_url,
  }
}

function finish(project, head, commits, total = commits.length) {
  return {
    ...head,
    ...pusher(project),
    project_id: project.id,
    project: project.plainProject(),
    commits,
    total_commits_count: total,
    repository: project.repository(),
  }
}

export function push(project, action) {
  const head = { object_kind: 'push', event_name: 'push' }
  if (action === 'create') {
    project.numbers.branch += 1
    const name = `feature-${project.numbers.branch}`
    const tip = on('branch-created-without-commits') ? project.head : sha()
    const commits = on('branch-created-without-commits')
      ? []
      : [project.commit(tip, 0, new Date(Date.now() - 60000))]
    project.lists.branch.push({ name, tip })
    return finish(
      project,
      {
        ...head,
        before: zeros(),
        after: tip,
        ref: `refs/heads/${name}`,
        checkout_sha: tip,
      },
      commits,
    )
  }
  if (action === 'delete') {
    const branch = project.lists.branch.pop() || { name: 'stale-branch', tip: sha() }
    return finish(
      project,
      {
        ...head,
        before: branch.tip,
        after: zeros(),
        ref: `refs/heads/${branch.name}`,
        checkout_sha: null,
      },
      [],
    )
  }
  const large = on('large-push-lists-20-commits')
  const count = [large && 25, on('push-of-one-commit') && 1, 3].find(Boolean)
  const before = project.head
  const commits = project.newCommits(count)
  return finish(
    project,
    {
      ...head,
      before,
      after: project.head,
      ref: `refs/heads/${project.branch}`,
      checkout_sha: project.head,
    },
    large ? commits.slice(-20) : commits,
    count,
  )
}

export function tagPush(project, action) {
  const head = { object_kind: 'tag_push', event_name: 'tag_push' }
  if (action === 'delete') {
    const [name, tip] = [...project.tags].pop() || ['v0.9', project.head]
    project.tags.delete(name)
    project.deletedTag = { name, tip }
    const payload = finish(
      project,
      {
        ...head,
        before: tip,
        after: zeros(),
        ref: `refs/tags/${name}`,
        checkout_sha: null,
      },
      [],
    )
    return withoutNew(payload)
  }
  project.numbers.tag += 1
  const name = `v1.${project.numbers.tag}`
  const tip = on('tags-annotated') ? sha() : project.head
  project.tags.set(name, tip)
  const commits = on('tag-push-lists-no-commits') ? [] : [project.commit(project.head, 0)]
  const payload = finish(
    project,
    {
      ...head,
      before: zeros(),
      after: tip,
      ref: `refs/tags/${name}`,
      checkout_sha: project.head,
    },
    commits,
  )
  return withoutNew(payload)
}

/** Tag push names no username and no email. */
function withoutNew(payload) {
  if (on('tag-push-with-username-and-email')) return payload
  const { user_username: username, user_email: email, ...rest } = payload
  return rest
}
