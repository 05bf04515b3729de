// What the API may do otherwise: the document shows no answers, no error statuses and few defaults.
import { choice } from './make.mjs'

const CREATE = 'Endpoints: POST /projects/{id}/hooks'
const TEST = 'Endpoints: POST /projects/{id}/hooks/{hook_id}/test/{event}'
const FIELDS = 'Hook configuration (request fields)'
const RECORD = 'Hook record returned by the API: not shown'
const ERRORS = 'Errors: statuses of the hook management calls not shown'
const AUTH = 'Authentication'

export const choicesApi = [
  choice('served-below-a-prefix', 'Endpoints', 'the API root is /git/api/v4, below a prefix'),
  choice('trailing-slash-accepted', 'Endpoints', 'paths with a slash at the end mean the same'),
  choice('project-by-path', 'Endpoints', 'a project is also found by its URL-encoded path'),
  choice('creation-answers-200', CREATE, 'a creation is answered with 200 rather than 201'),
  choice('creation-sends-location', CREATE, 'a creation answers with a Location header'),
  choice('record-minimal', RECORD, 'the record has an id only'),
  choice('record-shows-token', RECORD, 'the record shows the token'),
  choice('record-id-as-string', RECORD, 'the id in the record is a string'),
  choice('record-under-a-hook-key', RECORD, 'the record is the value of a key "hook"'),
  choice('record-with-extra-fields', RECORD, 'the record has further fields'),
  choice('record-times-in-seconds', RECORD, 'created_at of the record is a number of seconds'),
  choice('hook-ids-random', RECORD, 'hook ids are random large integers'),
  choice('hook-ids-per-project', RECORD, 'hook ids count from 1 in each project'),
  choice(
    'other-flags-default-true',
    'Defaults for the event flags other than push_events: not shown',
    'flags that are not given are true',
  ),
  choice(
    'unknown-fields-refused',
    FIELDS,
    'a body with a field that is not in the table is refused',
  ),
  choice(
    'json-flags-must-be-booleans',
    FIELDS,
    'in JSON a flag given as text or number is refused',
  ),
  choice('null-flags-refused', FIELDS, 'a flag that is null in JSON is refused'),
  choice('non-ascii-token-refused', FIELDS, 'a token with characters outside of ASCII is refused'),
  choice('multipart-accepted', FIELDS, 'multipart/form-data bodies are accepted too'),
  choice('fields-also-in-the-query', FIELDS, 'fields may also stand in the query of the call'),
  choice(
    'body-type-guessed',
    FIELDS,
    'a body with an unknown or no media type is read as JSON or as a form',
  ),
  choice(
    'invalid-fields-422',
    ERRORS,
    'a missing url and other invalid fields are refused with 422',
  ),
  choice('no-token-is-403', ERRORS, 'a call without the right token is refused with 403'),
  choice('unknown-project-is-403', ERRORS, 'an unknown project is refused with 403'),
  choice('errors-plain-text', ERRORS, 'errors have a text/plain body'),
  choice('errors-as-problem-details', ERRORS, 'errors are problem details (RFC 9457)'),
  choice('api-json-with-charset', ERRORS, 'answers say application/json; charset=utf-8'),
  choice('rate-limit-headers', 'Limits', 'answers carry rate limit headers'),
  choice('bearer-token-accepted', AUTH, 'the token is also accepted as Authorization: Bearer'),
  choice('token-in-query-accepted', AUTH, 'the token is also accepted as ?private_token='),
  choice(
    'no-management-calls',
    'Endpoints',
    'only the two calls of the document exist: no list, details, update, ' + 'deletion',
  ),
  choice('test-answers-200', TEST, 'a test call is answered with 200'),
  choice('test-answers-202', TEST, 'a test call is answered with 202'),
  choice('test-answers-204', TEST, 'a test call is answered with 204 and no body'),
  choice(
    'test-answers-before-delivery',
    TEST,
    'a test call is answered before the receiver has answered',
  ),
  choice('failed-test-422', TEST, 'a test call whose delivery fails is answered with 422'),
  choice('test-knows-push-only', TEST, 'push_events is the only event that can be tested'),
  choice(
    'test-refuses-disabled-flag',
    TEST,
    'an event whose flag is off in the hook cannot be tested',
  ),
  choice('unknown-test-event-422', TEST, 'a test of an unknown event is refused with 422'),
]
