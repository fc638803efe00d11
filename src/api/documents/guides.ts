/**
 * Documents as Markdown, for programs that read pages: an index, a skill, the guides of `docs/` and the changelog.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { dollars, PRICE_MICROS } from '../../model/money/money.ts'
import { withPrice, withPublicUrl } from './printed.ts'

const SUMMARY =
  'Transcripts (published captions, no speech-to-text) of videos, playlists and channels, for ' +
  `${dollars(PRICE_MICROS)} per delivered transcript from a prepaid balance.`

/** Returns the index, in the form that llmstxt.org describes. */
export function indexDocument(publicUrl: string, guides: readonly Guide[]): string {
  const listed = guides.map(
    (guide) => `- [${guide.title}](${publicUrl}${guide.url}): ${guide.about}\n`,
  )
  return `# Scriptorium

> ${SUMMARY}

## Documents

- [API reference](${publicUrl}/docs.md): every operation, field, answer and error of the REST API, as Markdown
- [OpenAPI 3.1](${publicUrl}/api/v1/openapi.json): the same for programs
- [Skill](${publicUrl}/SKILL.md): how an agent orders and reads transcripts, step by step

## Guides

${listed.join('')}
Each is a page for people without its \`.md\`; ${publicUrl}/guides lists them.

## Interfaces

- [Tools for agents](${publicUrl}/mcp): Model Context Protocol, by POST with an API key
- [Clients](${publicUrl}/clients/): command line and libraries that this server serves
- [OAuth](${publicUrl}/.well-known/oauth-authorization-server): how apps connect
- [API catalog](${publicUrl}/.well-known/api-catalog): these interfaces as links (RFC 9727)
- [Server card](${publicUrl}/mcp/server-card): the tools for agents, for clients and registries
- [Skills](${publicUrl}/.well-known/agent-skills/index.json): the skill with its digest
`
}

const SKILL_FILE = fs.readFileSync(path.join(import.meta.dirname, 'skill.md'), 'utf8')

/** Name of the skill, and when an agent should use it (agentskills.io), as its head has them. */
export const SKILL = { name: headField('name'), description: headField('description') }

function headField(name: string): string {
  const line = SKILL_FILE.split('\n').find((one) => one.startsWith(`${name}: `))
  assert(line !== undefined, `skill.md has no ${name} in its head`)
  return line.slice(name.length + 2)
}

/** Returns the skill, for agents that load skills: a head that says when to use it, then what to do. */
export function skillDocument(publicUrl: string): string {
  return withPublicUrl(withPrice(SKILL_FILE.replace('{summary}', () => SUMMARY)), publicUrl)
}

const FOLDER = path.join(import.meta.dirname, '../../../docs')
const ABOUT = {
  recipes: 'programs to copy',
  agents: 'connecting assistants and coding agents, tool by tool',
  'command-line': 'ordering and downloading from a terminal',
  oauth: 'connecting an app without a pasted key',
  following: 'buying new videos of a channel or playlist automatically',
  library: 'all of a channel, over all jobs',
  search: 'what to write to find where something is said',
  glossary: 'every word in one sentence',
}

export type Guide = {
  /** The address of its page. */
  page: string
  /** The address of its Markdown. */
  url: string
  title: string
  about: string
  /** The Markdown of its page. */
  source: string
  text: string
}

/**
 * Returns the guides with this server's address, and without links that lead nowhere; none where the files were left
 * out of an installation.
 */
export function readGuides(publicUrl: string): Guide[] {
  if (!fs.existsSync(FOLDER)) return []
  return Object.entries(ABOUT).map(([name, about]) => {
    const source = fs.readFileSync(path.join(FOLDER, `${name}.md`), 'utf8')
    return guideOf({ page: `/docs/${name}`, about, source }, publicUrl)
  })
}

/** Returns the changelog as a guide; null where the file was left out of an installation. */
export function readChangelog(publicUrl: string): Guide | null {
  const file = path.join(FOLDER, '../CHANGELOG.md')
  if (!fs.existsSync(file)) return null
  const source = fs.readFileSync(file, 'utf8').replaceAll('](docs/', '](')
  return guideOf({ page: '/changelog', about: 'what changed with each release', source }, publicUrl)
}

type Written = { page: string; about: string; source: string }

function guideOf({ page, about, source: written }: Written, publicUrl: string): Guide {
  const source = withPublicUrl(withoutDeadLinks(withoutComments(written)), publicUrl)
  const title = source.slice(2, source.indexOf('\n'))
  return { page, url: `${page}.md`, title, about, source, text: withIndex(publicUrl, source) }
}

/** Takes away the marks of what is printed into a document. */
function withoutComments(markdown: string): string {
  const isMark = (line: string): boolean => line.startsWith('<!-- ') && line.endsWith(' -->')
  return markdown
    .split('\n')
    .filter((line) => !isMark(line))
    .join('\n')
}

/** Returns where the page of a guide is that another one links by its file; null for any other target. */
export function pageOfGuide(target: string): string | null {
  const [file = '', anchor] = target.split('#')
  const suffix = anchor === undefined ? '' : `#${anchor}`
  if (file === '') return suffix
  return file.endsWith('.md') && isServed(file) ? `/docs/${file.slice(0, -3)}${suffix}` : null
}

/** Adds a line below the heading that says where the other documents are: the reader may have come by a search. */
export function withIndex(publicUrl: string, markdown: string): string {
  const end = markdown.indexOf('\n')
  const index = `> Index of all documents: ${publicUrl}/llms.txt`
  return `${markdown.slice(0, end)}\n\n${index}${markdown.slice(end)}`
}

/** Replaces links to files that are not served by their words. */
function withoutDeadLinks(markdown: string): string {
  return markdown.replaceAll(/\[([^\][]*)\]\(([^()]*)\)/g, (link, words: string, target: string) =>
    isServed(target) ? link : words,
  )
}

function isServed(target: string): boolean {
  const [file = ''] = target.split('#')
  return target.startsWith('https:') || file === '' || file.slice(0, -'.md'.length) in ABOUT
}
