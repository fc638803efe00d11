/** The guides of `docs/` as this server gives them out: with its own address, and no link that leads nowhere. */
import fs from 'node:fs'
import path from 'node:path'

const FOLDER = path.join(import.meta.dirname, '../../docs')
const ABOUT = {
  recipes: 'programs to copy',
  agents: 'connecting assistants and coding agents, tool by tool',
  'command-line': 'ordering and downloading from a terminal',
  oauth: 'connecting an app without a pasted key',
  following: 'buying new videos of a channel or playlist by themselves',
  library: 'all of a channel, over all jobs',
  search: 'what to write to find where something is said',
  glossary: 'every word in one sentence',
}

export type Guide = { url: string; title: string; about: string; text: string }

/** Returns the guides; none where the files were left out of an installation. */
export function readGuides(publicUrl: string): Guide[] {
  if (!fs.existsSync(FOLDER)) return []
  return Object.entries(ABOUT).map(([name, about]) => {
    const source = fs.readFileSync(path.join(FOLDER, `${name}.md`), 'utf8')
    const text = withoutDeadLinks(source).replaceAll('https://host', publicUrl)
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
