import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { EventWithActions } from './actions.ts'
import { isZeros } from './rules/pushes.ts'
import { describe, valueAt, type DeliveryPayload } from './rules/rule.ts'

/** Where the payload of an event contains its action. */
export interface ActionSource {
  requirement: RequirementId
  /** What the document calls the action of this event. */
  noun: 'action' | 'status'
  /** Describes a delivery that contains this action, for reports. */
  expected(action: string): string
  /** Describes deliveries that contain only these actions, for reports. */
  received(actions: readonly unknown[]): string
  read(payload: DeliveryPayload): unknown
}

/** The action is the value of one field. */
function sourceAt(requirement: RequirementId, path: string): ActionSource {
  const field = path.slice(1).replaceAll('/', '.')
  return {
    requirement,
    noun: path.endsWith('status') ? 'status' : 'action',
    expected: (action) => `a delivery with ${describe(action)} in ${field}`,
    received: (actions) => {
      const values = actions.filter((action) => action !== undefined)
      const parts = [
        ...(values.length > 0 ? [`with ${values.map(describe).join(' or ')} in ${field}`] : []),
        ...(values.length < actions.length ? [`without ${field}`] : []),
      ]
      return `only deliveries ${parts.join(', or ')}`
    },
    read: (payload) => valueAt(payload, path),
  }
}

export const actionSources: Readonly<Record<EventWithActions, ActionSource>> = {
  tag_push: {
    requirement: 'EVT-TAGPUSH-01',
    noun: 'action',
    expected: (action) =>
      `a delivery whose fields before and after show the action ${describe(action)}`,
    received: (actions) =>
      `only deliveries whose fields before and after show the action ${actions.map(describe).join(' or ')}`,
    read: ({ before, after }) =>
      isZeros(before) ? 'create' : isZeros(after) ? 'delete' : 'neither create nor delete',
  },
  issue: sourceAt('EVT-ISSUE-01', '/object_attributes/action'),
  merge_request: sourceAt('EVT-MERGEREQUEST-01', '/object_attributes/action'),
  pipeline: sourceAt('EVT-PIPELINE-01', '/object_attributes/status'),
  job: sourceAt('EVT-JOB-01', '/build_status'),
  deployment: sourceAt('EVT-DEPLOYMENT-01', '/status'),
  wiki_page: sourceAt('EVT-WIKIPAGE-01', '/object_attributes/action'),
  release: sourceAt('EVT-RELEASE-01', '/action'),
}
