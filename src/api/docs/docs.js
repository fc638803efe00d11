/** Draws the operations of /openapi.json, each with a form that tries it on this server. */

const BASE = '/api/v1'
const ANSWER_CHARS_MAX = 20_000

/** How many fields there are: each has an id of its own. */
let fieldCount = 0

const apiDocument = await (await fetch(`${BASE}/openapi.json`)).json()

document.getElementById('version').textContent = apiDocument.info.version
document.getElementById('about').textContent = apiDocument.info.description
const list = document.getElementById('operations')
for (const tag of apiDocument.tags) {
  list.append(element('h2', {}, tag.name), element('p', {}, tag.description))
  for (const operation of operationsOf(tag.name)) list.append(drawn(operation))
}

function operationsOf(tag) {
  return Object.entries(apiDocument.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags?.includes(tag))
      .map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  )
}

function drawn(operation) {
  const { method, path, summary, description, responses } = operation
  const mark = operation['x-extension'] ? [element('span', { className: 'mark' }, 'extension')] : []
  const head = element(
    'summary',
    {},
    element('b', {}, method),
    element('code', {}, path),
    ' ',
    summary,
    ...mark,
  )
  const rows = Object.entries(responses).map(([status, answer]) =>
    element(
      'tr',
      {},
      element('td', {}, status),
      element('td', {}, answer.description),
      element('td', {}, examplesOf(answer)),
    ),
  )
  const table = element('table', {}, element('tbody', {}, ...rows))
  return element(
    'details',
    { id: operation.operationId },
    head,
    element(
      'div',
      {},
      element('p', {}, description ?? ''),
      formOf(operation),
      element('h3', {}, 'Answers'),
      table,
    ),
  )
}

function examplesOf({ content }) {
  const examples = Object.values(content?.['application/json']?.examples ?? {})
  const shown = examples.map(({ summary, value }) =>
    element(
      'details',
      {},
      element('summary', {}, summary),
      element('pre', { tabIndex: 0 }, JSON.stringify(value, null, 2)),
    ),
  )
  return element('div', {}, ...shown)
}

/** One field per parameter, one for the body; the answer is shown below. */
function formOf(operation) {
  const parameters = operation.parameters ?? []
  const fields = parameters.map((parameter) => ({ parameter, input: inputOf(parameter) }))
  const body = operation.requestBody === undefined ? null : bodyOf(operation.requestBody)
  const answer = element('pre', { hidden: true, tabIndex: 0 })
  answer.setAttribute('aria-live', 'polite')
  const form = element(
    'form',
    {},
    ...fields.flatMap(({ parameter, input }) => [labelOf(parameter, input), input]),
    ...(body === null ? [] : [element('label', { htmlFor: body.id }, 'Body'), body]),
    element('button', {}, 'Send'),
    answer,
  )
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    answer.hidden = false
    answer.textContent = '…'
    answer.textContent = await tried(operation, fields, body).catch((error) => String(error))
  })
  return form
}

function inputOf({ schema, example }) {
  const id = `field-${(fieldCount += 1)}`
  if (schema.enum === undefined)
    return element('input', { id, placeholder: String(example ?? schema.default ?? '') })
  return element(
    'select',
    { id },
    ...['', ...schema.enum].map((value) => element('option', {}, value)),
  )
}

function bodyOf({ content }) {
  const [first] = Object.values(content['application/json'].examples)
  return element('textarea', {
    id: `field-${(fieldCount += 1)}`,
    value: JSON.stringify(first.value, null, 2),
  })
}

function labelOf({ name, required, description }, input) {
  return element(
    'label',
    { htmlFor: input.id },
    element('code', {}, name),
    required ? ' (required) ' : ' ',
    element('em', {}, description ?? ''),
  )
}

async function tried(operation, fields, body) {
  let path = operation.path
  const query = new URLSearchParams()
  const headers = {}
  for (const { parameter, input } of fields) {
    const value = input.value
    if (parameter.in === 'path')
      path = path.replace(`{${parameter.name}}`, encodeURIComponent(value))
    else if (value !== '' && parameter.in === 'query') query.append(parameter.name, value)
    else if (value !== '') headers[parameter.name] = value
  }
  const key = document.getElementById('key').value.trim()
  if (key !== '') headers.Authorization = `Bearer ${key}`
  if (body !== null) headers['Content-Type'] = 'application/json'
  const address = `${BASE}${path}${query.size === 0 ? '' : `?${query}`}`
  const response = await fetch(address, {
    method: operation.method,
    headers,
    credentials: 'omit',
    ...(body === null ? {} : { body: body.value }),
  })
  return told(operation.method, address, response)
}

async function told(method, address, response) {
  const type = response.headers.get('content-type') ?? ''
  const head = [
    `${method} ${address}`,
    `${response.status} ${response.statusText}`,
    ...[...response.headers].map(([name, value]) => `${name}: ${value}`),
  ].join('\n')
  if (type.includes('zip')) return `${head}\n\n(${(await response.blob()).size} bytes)`
  const text = await response.text()
  const shown =
    type.includes('json') && text !== '' ? JSON.stringify(JSON.parse(text), null, 2) : text
  return `${head}\n\n${shown.length > ANSWER_CHARS_MAX ? `${shown.slice(0, ANSWER_CHARS_MAX)}…` : shown}`
}

/** An element with properties and children; texts are never read as HTML. */
function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}
