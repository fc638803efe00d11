/**
 * Features that the official conformance sets ask for and we do not offer, each with the reason: `scenario/check`, or
 * its beginning.
 */

const ASKS_NOBODY = 'no tool asks a client for input: an order names its limit in its arguments'
const TEXT_ONLY = 'a transcript is text'
const NO_STREAM = 'one request has one JSON answer; waiting is an argument of the tools'
const TASKS = 'the tasks extension is not offered: a job is followed by get_job'
const FIXTURE =
  'asks for a tool or prompt made for this check, of which no other can take the place'

export const NOT_OFFERED: Readonly<Record<string, string>> = {
  'prompts-get-': FIXTURE,
  'completion-complete/': 'no argument has values that a client could complete',
  'logging-set-level/': 'nothing is logged to clients',
  'tools-call-with-logging/': 'nothing is logged to clients',
  'server-stateless/sep-2575-server-no-log-without-loglevel': 'nothing is logged to clients',
  'tools-call-audio/': TEXT_ONLY,
  'tools-call-image/': TEXT_ONLY,
  'tools-call-mixed-content/': TEXT_ONLY,
  'resources-read-binary/': TEXT_ONLY,
  'tools-call-embedded-resource/': 'resources are linked from results, not embedded in them',
  'resources-templates-read/':
    'its fixture is a text with the number 123; test/mcp/agents.full.test.ts reads by template',
  'resources-subscribe/': 'what is delivered does not change',
  'resources-unsubscribe/': 'what is delivered does not change',
  'tools-call-with-progress/': NO_STREAM,
  'server-stateless/sep-2575-http-server-no-independent-requests-on-stream': NO_STREAM,
  'tools-call-sampling/': ASKS_NOBODY,
  'tools-call-elicitation/': ASKS_NOBODY,
  'elicitation-': ASKS_NOBODY,
  'input-required-result-': ASKS_NOBODY,
  'server-stateless/sep-2575-server-rejects-undeclared-capability': ASKS_NOBODY,
  'server-stateless/sep-2575-missing-capability-http-400': ASKS_NOBODY,
  'tasks-': TASKS,
  'json-schema-2020-12/': FIXTURE,
  'http-custom-header-server-validation/': FIXTURE,
}
