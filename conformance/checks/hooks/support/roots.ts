import type { EventName } from '../../../../generated/events/names.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'

/**
 * For each event, the requirement that a test call triggers a delivery. If this requirement is not
 * met, there are no payloads to examine.
 */
export const deliveryRoots: { readonly [Name in EventName]: RequirementId } = {
  push: 'EVT-PUSH-02',
  tag_push: 'EVT-TAGPUSH-02',
  issue: 'EVT-ISSUE-02',
  merge_request: 'EVT-MERGEREQUEST-02',
  pipeline: 'EVT-PIPELINE-02',
  job: 'EVT-JOB-02',
  deployment: 'EVT-DEPLOYMENT-02',
  wiki_page: 'EVT-WIKIPAGE-02',
  release: 'EVT-RELEASE-02',
}
