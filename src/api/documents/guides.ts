/**
 * Documents as Markdown, for programs that read pages: an index, a skill, and the guides of `docs/`.
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

type Guide = { url: string; title: string; about: string; text: string }

/**
 * Returns the guides with this server's address, and without links that lead nowhere; none where the files were left
 * out of an installation.
 */
export function readGuides(publicUrl: string): Guide[] {
  if (!fs.existsSync(FOLDER)) return []
  return Object.entries(ABOUT).map(([name, about]) => {
    const source = fs.readFileSync(path.join(FOLDER, `${name}.md`), 'utf8')
    const text = withPublicUrl(withoutDeadLinks(source), publicUrl)
    const title = text.slice(2, text.indexOf('\n'))
    return { url: `/docs/${name}.md`, title, about, text: withIndex(publicUrl, text) }
  })
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
