/** A call of an operation in three languages, with the reader's host and the beginning of their key. */
import type { Language } from '../parts/examples.ts'
import type { Operation } from './openapi.ts'

const KEY_VARIABLE = 'SCRIPTORIUM_API_KEY'

type Call = Operation & { address: string; takesOrderKey: boolean }

export function codeSample(
  operation: Operation,
  { base, keyStart, language }: { base: string; keyStart: string | null; language: Language },
): string {
  const { path, parameters } = operation
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((whole, { name, example }) => {
      return whole.replace(`{${name}}`, String(example ?? name.toUpperCase()))
    }, path)
  const call = {
    ...operation,
    address: `${base}${filled}`,
    takesOrderKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
  }
  return { curl: inCurl, js: inJavaScript, python: inPython }[language](call, keyStart)
}

const comment = (sign: string, keyStart: string | null): string =>
  keyStart === null ? '' : `${sign} ${KEY_VARIABLE}: your key that begins with ${keyStart}\n`

function inCurl(call: Call, keyStart: string | null): string {
  const lines = [
    `curl ${call.method === 'GET' ? '' : `-X ${call.method} `}"${call.address}"`,
    ...(call.needsKey ? [`  -H "Authorization: Bearer $${KEY_VARIABLE}"`] : []),
    ...(call.takesOrderKey ? ['  -H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(call.body === null
      ? []
      : ['  -H "Content-Type: application/json"', `  -d '${quoted(call.body)}'`]),
  ]
  return (call.needsKey ? comment('#', keyStart) : '') + lines.join(' \\\n')
}

/** Returns JSON for single quotes of a shell. */
function quoted(body: unknown): string {
  return JSON.stringify(body).replaceAll("'", `'\\''`)
}

function inJavaScript(call: Call, keyStart: string | null): string {
  const headers = [
    ...(call.needsKey ? [`Authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\``] : []),
    ...(call.takesOrderKey ? [`'Idempotency-Key': crypto.randomUUID()`] : []),
    ...(call.body === null ? [] : [`'Content-Type': 'application/json'`]),
  ].map((line) => `    ${line},\n`)
  const options = [
    ...(call.method === 'GET' ? [] : [`  method: '${call.method}',\n`]),
    ...(headers.length === 0 ? [] : [`  headers: {\n${headers.join('')}  },\n`]),
    ...(call.body === null
      ? []
      : [`  body: JSON.stringify(${indented(JSON.stringify(call.body, null, 2), '  ')}),\n`]),
  ]
  const end = options.length === 0 ? ')' : `, {\n${options.join('')}})`
  return [
    call.needsKey ? comment('//', keyStart) : '',
    `const response = await fetch('${call.address}'${end}\n`,
    'if (!response.ok) throw new Error(await response.text())',
  ].join('')
}

function inPython(call: Call, keyStart: string | null): string {
  const headers = [
    ...(call.needsKey ? [`"Authorization": "Bearer " + os.environ["${KEY_VARIABLE}"]`] : []),
    ...(call.takesOrderKey ? ['"Idempotency-Key": str(uuid.uuid4())'] : []),
  ].map((line) => `        ${line},\n`)
  const modules = ['os', 'requests', ...(call.takesOrderKey ? ['uuid'] : [])]
  const lines = [
    `    "${call.address}",\n`,
    ...(headers.length === 0 ? [] : [`    headers={\n${headers.join('')}    },\n`]),
    ...(call.body === null ? [] : [`    json=${indented(pythonOf(call.body), '    ')},\n`]),
  ]
  return [
    call.needsKey ? comment('#', keyStart) : '',
    `import ${modules.join(', ')}\n\n`,
    `response = requests.${call.method.toLowerCase()}(\n${lines.join('')})\n`,
    'response.raise_for_status()',
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
