// Bugs of which events are delivered.
import { violation as v } from './make.mjs'

const WHERE = 'Events'
const governed = (flag) =>
  `each event is governed by the flag named in Hook configuration (${flag})`
const under = (name, event, flag, other) =>
  v(name, WHERE, `${event} events follow ${other}, not ${flag}`, governed(flag), {
    gate: (want, c) => (c.event.event === event ? c.config[other] : undefined),
  })
const always = (name, event, flag) =>
  v(name, WHERE, `${event} events are delivered whatever ${flag} says`, governed(flag), {
    gate: (want, c) => want || c.event.event === event,
  })
const lost = (name, event, action, trigger) =>
  v(name, WHERE, `${event} events with ${action} are not delivered`, `Trigger: ${trigger}`, {
    gate: (want, c) => want && !(c.event.event === event && c.action === action),
  })

export const gateBugs = [
  under('tag-push-under-push', 'tag', 'tag_push_events', 'push_events'),
  under('jobs-under-pipelines', 'job', 'job_events', 'pipeline_events'),
  under('pipelines-under-jobs', 'pipeline', 'pipeline_events', 'job_events'),
  under('deployments-under-jobs', 'deployment', 'deployment_events', 'job_events'),
  under('releases-under-tag-push', 'release', 'releases_events', 'tag_push_events'),
  under('merge-requests-under-issues', 'merge', 'merge_requests_events', 'issues_events'),
  under('issues-under-merge-requests', 'issue', 'issues_events', 'merge_requests_events'),
  under('confidential-under-issues', 'confidential', 'confidential_issues_events', 'issues_events'),
  under('issues-under-confidential', 'issue', 'issues_events', 'confidential_issues_events'),
  under('push-under-tag-push', 'push', 'push_events', 'tag_push_events'),
  always('wiki-flag-ignored', 'wiki', 'wiki_page_events'),
  always('pipeline-flag-ignored', 'pipeline', 'pipeline_events'),
  always('deployment-flag-ignored', 'deployment', 'deployment_events'),
  v(
    'issues-need-both-flags',
    WHERE,
    'issue events need confidential_issues_events too',
    governed('issues_events'),
    {
      gate: (want, c) => want && (c.event.event !== 'issue' || c.config.confidential_issues_events),
    },
  ),
  v(
    'one-flag-for-all',
    WHERE,
    'a hook with any flag other than push_events gets all events',
    governed('all flags'),
    {
      gate: (want, c) =>
        want ||
        Object.keys(c.config).some(
          (f) => f.endsWith('_events') && f !== 'push_events' && c.config[f],
        ),
    },
  ),
  v(
    'flags-of-first-hook-for-all',
    WHERE,
    'the flags of the first hook of a project count for all its hooks',
    governed('of the hook'),
    { gate: (want, c) => c.own[0].config[c.event.flag] },
  ),
  v(
    'branch-deletion-past-the-flag',
    WHERE,
    'deletions of branches are delivered although push_events is false',
    governed('push_events'),
    { gate: (want, c) => want || (c.event.event === 'push' && c.action === 'delete') },
  ),
  lost('tag-deletion-not-delivered', 'tag', 'delete', 'tag created or deleted'),
  lost(
    'issue-reopening-not-delivered',
    'issue',
    'reopen',
    'issue created, updated, closed or reopened',
  ),
  lost(
    'issue-closing-not-delivered',
    'issue',
    'close',
    'issue created, updated, closed or reopened',
  ),
  lost(
    'merging-not-delivered',
    'merge',
    'merge',
    'merge request created, updated, merged or closed',
  ),
  lost(
    'merge-request-update-not-delivered',
    'merge',
    'update',
    'merge request created, updated, merged or closed',
  ),
  lost('pipeline-skipped-not-delivered', 'pipeline', 'skipped', 'pipeline status changes'),
  lost('pipeline-running-not-delivered', 'pipeline', 'running', 'pipeline status changes'),
  lost('job-canceled-not-delivered', 'job', 'canceled', 'job status changes'),
  lost('job-pending-not-delivered', 'job', 'pending', 'job status changes'),
  lost(
    'deployment-created-not-delivered',
    'deployment',
    'created',
    'deployment created or its status changes',
  ),
  lost('wiki-deletion-not-delivered', 'wiki', 'delete', 'page created, updated or deleted'),
  lost(
    'release-deletion-not-delivered',
    'release',
    'delete',
    'release created, updated or deleted',
  ),
  lost('release-update-not-delivered', 'release', 'update', 'release created, updated or deleted'),
  v(
    'tag-creation-also-a-push',
    WHERE,
    'the creation of a tag is delivered as a push to the branch too',
    'Push: code pushed',
  ),
  v(
    'merge-also-sends-close',
    WHERE,
    'a merge is delivered as a close too',
    'action values ... close, merge: trigger merge request merged or closed',
  ),
  v(
    'job-change-also-a-pipeline-event',
    WHERE,
    'a change of a job is delivered as a pipeline event too',
    'Pipeline: pipeline status changes',
  ),
]
