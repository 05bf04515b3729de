import type { EventName } from '../../../../generated/events/names.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'

/**
 * For each event, two requirements: an event in the project causes a delivery, and a flag enables
 * these deliveries.
 */
export const deliveryRequirements: Readonly<
  Record<EventName, readonly [RequirementId, RequirementId]>
> = {
  push: ['EVT-PUSH-01', 'EVT-PUSH-04'],
  tag_push: ['EVT-TAGPUSH-01', 'EVT-TAGPUSH-04'],
  issue: ['EVT-ISSUE-01', 'EVT-ISSUE-04'],
  merge_request: ['EVT-MERGEREQUEST-01', 'EVT-MERGEREQUEST-04'],
  pipeline: ['EVT-PIPELINE-01', 'EVT-PIPELINE-04'],
  job: ['EVT-JOB-01', 'EVT-JOB-04'],
  deployment: ['EVT-DEPLOYMENT-01', 'EVT-DEPLOYMENT-04'],
  wiki_page: ['EVT-WIKIPAGE-01', 'EVT-WIKIPAGE-04'],
  release: ['EVT-RELEASE-01', 'EVT-RELEASE-04'],
}
