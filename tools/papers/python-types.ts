/**
 * The types of the Python client, printed from the components of the OpenAPI document. They hold in Python 3.9, which
 * has no `NotRequired`: fields that may be missing stand in a base class with `total=False`.
 *
 * Words of an enumeration are `str`, not `Literal`: the API may add words in any release, which clients have to pass
 * over. With today's words only, type checkers would say that the code that does so is never reached.
 */
import { withBlock } from './block.ts'
import { JSON_CONTENT, type Operation } from './reference-document.ts'
import { componentOf, type Schema } from './reference-fields.ts'
import { ABOUT, BASES, NAMES_OF_FIELDS, OWN_FIELDS, UNCALLED_TAGS } from './python-names.ts'

/** Marks of the printed block; tools/scripts/places/sources.ts knows them, too. */
const MARKS = {
  open: '# Written by `npm run print`: what the service answers, after its OpenAPI document.\n',
  close: '# End of what is printed.\n',
}
const COLUMNS = 120
const SCALARS: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
}

/** The parts of the document that are read here. */
type Described = {
  paths: Record<string, Record<string, Pick<Operation, 'tags' | 'responses'>>>
  components: { schemas: Record<string, Schema> }
}

/** What is printed so far. */
type Papers = {
  /** Components of the document. */
  schemas: Record<string, Schema>
  /** Schemas of the printed types as JSON, by the names of the types. */
  printed: Map<string, string>
  /** Texts of classes. Each comes after those that it names, as base classes have to. */
  classes: string[]
}

/** Returns the Python client with its block of types. */
export function typesPython(openapi: Record<string, unknown>, now: string): string {
  const { paths, components } = openapi as Described
  const papers: Papers = { schemas: components.schemas, printed: new Map(), classes: [] }
  for (const name of answeredComponents(paths)) printComponent(papers, name)
  return withBlock(now, MARKS, `\n\n${papers.classes.join('\n\n')}\n\n`)
}

/** Returns the components that operations answer with, as far as the client calls them. */
function answeredComponents(paths: Described['paths']): string[] {
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ tags = [] }) => !tags.some((tag) => UNCALLED_TAGS.includes(tag)))
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => componentOf(content?.[JSON_CONTENT]?.schema ?? {}) ?? [])
}

/** Prints the type of a component, unless that was done, and returns its name. */
function printComponent(papers: Papers, name: string): string {
  return printObject(papers, name, schemaOf(papers, name))
}

function schemaOf({ schemas }: Papers, name: string): Schema {
  const schema = schemas[name]
  if (schema === undefined)
    throw new Error(`the OpenAPI document has no component “${name}”, which Python is to have`)
  return schema
}

function printObject(papers: Papers, name: string, schema: Schema): string {
  const json = JSON.stringify({ ...schema, description: undefined })
  const printed = papers.printed.get(name)
  if (printed !== undefined && printed !== json)
    throw new Error(`two unlike objects are called “${name}” in Python`)
  if (printed === undefined) {
    papers.printed.set(name, json)
    printClasses(papers, name, schema)
  }
  return name
}

/** Prints the class of a type, behind one with the fields that may be missing, where there are such. */
function printClasses(papers: Papers, name: string, { properties, required = [] }: Schema): void {
  const base = BASES[name]
  const inherited = base === undefined ? {} : printBase(papers, name, base)
  const all = Object.entries({ ...properties, ...OWN_FIELDS[name] })
  const fields = all
    .filter(([field]) => !(field in inherited))
    .map(([field, schema]) => ({ field, lines: linesOf(papers, name, field, schema) }))
  const kept = fields.filter(({ field }) => required.includes(field))
  const missing = fields.filter(({ field }) => !required.includes(field))
  const bases = base === undefined ? [] : [base]
  if (missing.length > 0) {
    const lines = missing.flatMap((one) => one.lines)
    bases.push(`_${name}Optional`)
    papers.classes.push(classOf(`_${name}Optional`, ['TypedDict', 'total=False'], lines))
  }
  const doc = docOf([ABOUT[name] ?? '', missingSentence(missing.map(({ field }) => field))])
  const lines = [...doc, ...kept.flatMap((one) => one.lines)]
  papers.classes.push(classOf(name, bases.length > 0 ? bases : ['TypedDict'], lines))
}

/** Prints a base, unless that was done, and returns its fields. */
function printBase(papers: Papers, name: string, base: string): Record<string, Schema> {
  printComponent(papers, base)
  const own = schemaOf(papers, name)
  const { properties = {}, required = [] } = schemaOf(papers, base)
  for (const [field, schema] of Object.entries(properties)) {
    const again = own.properties?.[field]
    const isLike = again === undefined || JSON.stringify(again) === JSON.stringify(schema)
    if (!isLike || required.includes(field) !== (own.required?.includes(field) ?? false))
      throw new Error(`“${name}” cannot build on “${base}”, of which “${field}” is another`)
  }
  return properties
}

function linesOf(papers: Papers, owner: string, field: string, schema: Schema): string[] {
  const said = schema.description ?? innerDescription(schema)
  return [
    ...wrapped(sentence(said), '    # '),
    `    ${field}: ${typeOf(papers, schema, `${owner}.${field}`)}`,
  ]
}

/** Returns a type as an annotation. An object gets a class, whose name comes from the place. */
function typeOf(papers: Papers, schema: Schema, place: string): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace('#/components/schemas/', '')
    const target = schemaOf(papers, name)
    return target.properties === undefined
      ? typeOf(papers, target, place)
      : printComponent(papers, name)
  }
  if (schema.anyOf !== undefined) return unionOf(papers, schema.anyOf, place)
  if (schema.enum?.every((word) => typeof word === 'string') === true) return 'str'
  if (schema.properties !== undefined) return printObject(papers, nameAt(place), schema)
  if (schema.type === 'array') return `List[${valueOf(papers, schema.items, place)}]`
  if (schema.type === 'object') return `Dict[str, ${valueOf(papers, valuesOf(schema), place)}]`
  const scalar = SCALARS[schema.type ?? '']
  if (scalar !== undefined) return scalar
  throw new Error(`“${place}” has no type that Python could be told: ${JSON.stringify(schema)}`)
}

function valueOf(papers: Papers, schema: Schema | undefined, place: string): string {
  return schema === undefined ? 'Any' : typeOf(papers, schema, place)
}

function unionOf(papers: Papers, schemas: readonly Schema[], place: string): string {
  const others = schemas.filter(({ type }) => type !== 'null')
  const types = new Set(others.map((schema) => typeOf(papers, schema, place)))
  const type = types.size === 1 ? [...types].join('') : `Union[${[...types].join(', ')}]`
  return others.length === schemas.length ? type : `Optional[${type}]`
}

function nameAt(place: string): string {
  return (
    NAMES_OF_FIELDS[place] ?? place.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase())
  )
}

/** Returns what a map has as values, where the document says it. */
function valuesOf({ patternProperties = {}, additionalProperties }: Schema): Schema | undefined {
  const [values] = Object.values(patternProperties)
  return values ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
}

/** Returns what is said of the value within "or null". */
function innerDescription({ anyOf = [] }: Schema): string | undefined {
  return anyOf.find(({ description }) => description !== undefined)?.description
}

function classOf(name: string, bases: readonly string[], lines: readonly string[]): string {
  const body = lines.length > 0 ? lines : ['    pass']
  return `class ${name}(${bases.join(', ')}):\n${body.join('\n')}\n`
}

/** Returns the docstring, with the blank line behind it. */
function docOf(sentences: readonly string[]): string[] {
  const said = sentences.filter((one) => one !== '').join(' ')
  return said === '' ? [] : [...wrapped(`"""${said}"""`, '    '), '']
}

function missingSentence(fields: readonly string[]): string {
  if (fields.length === 0) return ''
  const names = fields.map((field) => `\`${field}\``)
  const list = [names.slice(0, -1).join(', '), names.at(-1)].filter((part) => part !== '')
  return `There may be no ${list.join(' or ')}.`
}

/** Returns a description as a sentence for readers of Python, to whom null is None. */
function sentence(words = ''): string {
  const said = words.replace(/\bnull\b/gi, 'None')
  return said === '' || said.endsWith('.') ? said : `${said}.`
}

/** Returns words in lines of at most 120 columns, each with what is put in front. */
function wrapped(words: string, front: string): string[] {
  const lines: string[] = []
  for (const word of words.split(/\s+/).filter((one) => one !== '')) {
    const last = lines.at(-1)
    const longer = `${last} ${word}`
    if (last !== undefined && longer.length <= COLUMNS) lines[lines.length - 1] = longer
    else lines.push(`${front}${word}`)
  }
  return lines
}
