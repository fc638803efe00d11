/** A call of an operation in three languages, with the reader's host and the beginning of their key. */
import type { Language } from '../parts/examples.ts'
import type { Operation } from './openapi.ts'

const KEY_VARIABLE = 'SCRIPTORIUM_API_KEY'

/** A call, and its headers as each language writes them. */
type Call = Pick<Operation, 'method' | 'body'> & {
  address: string
  headers: Record<Language, string>[]
}

const KEY_HEADER = {
  curl: `"Authorization: Bearer $${KEY_VARIABLE}"`,
  js: `Authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\``,
  python: `"Authorization": "Bearer " + os.environ["${KEY_VARIABLE}"]`,
}
const ORDER_HEADER = {
  curl: '"Idempotency-Key: $(uuidgen)"',
  js: `'Idempotency-Key': crypto.randomUUID()`,
  python: '"Idempotency-Key": str(uuid.uuid4())',
}

export function codeSample(
  { path, parameters, method, body, needsKey }: Operation,
  { base, keyStart, language }: { base: string; keyStart: string | null; language: Language },
): string {
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((whole, { name, example }) => {
      return whole.replace(`{${name}}`, String(example ?? name.toUpperCase()))
    }, path)
  const takesOrderKey = parameters.some(({ name }) => name === 'Idempotency-Key')
  const headers = [...(needsKey ? [KEY_HEADER] : []), ...(takesOrderKey ? [ORDER_HEADER] : [])]
  const sign = language === 'js' ? '//' : '#'
  const isTold = needsKey && keyStart !== null
  const about = isTold ? `${sign} ${KEY_VARIABLE}: your key that begins with ${keyStart}\n` : ''
  const call = { method, body, address: `${base}${filled}`, headers }
  return about + { curl: inCurl, js: inJavaScript, python: inPython }[language](call)
}

function inCurl({ method, address, headers, body }: Call): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${address}"`,
    ...headers.map(({ curl }) => `  -H ${curl}`),
    ...(body === null ? [] : ['  -H "Content-Type: application/json"', `  -d '${quoted(body)}'`]),
  ].join(' \\\n')
}

/** Returns JSON for single quotes of a shell. */
function quoted(body: unknown): string {
  return JSON.stringify(body).replaceAll("'", `'\\''`)
}

function inJavaScript({ method, address, headers, body }: Call): string {
  const type = body === null ? [] : [`'Content-Type': 'application/json'`]
  const lines = [...headers.map(({ js }) => js), ...type].map((line) => `    ${line},\n`)
  const options = [
    method === 'GET' ? '' : `  method: '${method}',\n`,
    lines.length === 0 ? '' : `  headers: {\n${lines.join('')}  },\n`,
    body === null
      ? ''
      : `  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), '  ')}),\n`,
  ].join('')
  return [
    `const response = await fetch('${address}'${options === '' ? '' : `, {\n${options}}`})\n`,
    'if (!response.ok) throw new Error(await response.text())',
  ].join('')
}

function inPython({ method, address, headers, body }: Call): string {
  const lines = headers.map(({ python }) => `        ${python},\n`).join('')
  const modules = ['os', 'requests', ...(headers.includes(ORDER_HEADER) ? ['uuid'] : [])]
  return [
    `import ${modules.join(', ')}\n\n`,
    `response = requests.${method.toLowerCase()}(\n    "${address}",\n`,
    lines === '' ? '' : `    headers={\n${lines}    },\n`,
    body === null ? '' : `    json=${indented(pythonOf(body), '    ')},\n`,
    ')\nresponse.raise_for_status()',
  ].join('')
}

/** Returns JSON as Python writes it, over several lines. */
function pythonOf(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([name, field]) => `    ${JSON.stringify(name)}: ${indented(pythonOf(field), '    ')},\n`,
  )
  return `{\n${fields.join('')}}`
}

function indented(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`)
}
