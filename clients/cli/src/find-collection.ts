/** Finds a channel, playlist or project of the account by what people call it: an id, a handle, an address, a title. */
import type { Collection, Project, Scriptorium } from '../../typescript/src/index.ts'
import { EXIT, Failure, usageFailure } from './failure.ts'

const PAGE = 50
/** Collections whose orders are read for a handle that is no title. */
const LOOKED_INTO_MAX = 50
/** Matches ids of channels, playlists (the platform's own) and projects; no title is so long without a blank. */
const OWN_ID = /^(?:UC|PL|UU|FL|OL|RD|prj_)[\w-]{10,80}$/
const PROJECTS_PAGE = 200

/** Returns every collection of the account. */
export async function readCollections(client: Scriptorium): Promise<Collection[]> {
  const found: Collection[] = []
  for (let offset: number | null = 0; offset !== null;) {
    const page = await client.library.list({ offset, limit: PAGE })
    found.push(...page.collections)
    offset = page.nextOffset
  }
  return found
}

/** Returns the id of the collection that is meant. Throws a failure where there is none, or where there are several. */
export async function findCollection(client: Scriptorium, text: string): Promise<string> {
  const [, named = text] = /[/=]((?:UC|PL)[\w-]{10,80})\/?$/.exec(text) ?? []
  if (OWN_ID.test(named)) return named
  const all = await readCollections(client)
  const titled = all.filter(({ id, title }) => id === text || plain(title ?? '') === plain(text))
  const called = titled.length > 0 ? titled : await findProjects(client, text)
  const found = called.length > 0 ? called : await orderedAs(client, all, text)
  const [first, ...others] = found
  if (first === undefined)
    throw new Failure(`the library has no channel, playlist or project "${text}"`, {
      exit: EXIT.error,
      code: 'not_found',
      hint: 'scriptorium library lists all of them',
    })
  if (others.length > 0)
    throw usageFailure(
      `"${text}" is ${found.length} of your ${titled.length > 0 ? 'channels and playlists' : 'projects'}`,
      `take one of these IDs: ${found.map(({ id }) => id).join(', ')}`,
    )
  return first.id
}

/** Returns the account's projects that are called so, or that have this id. */
export async function findProjects(client: Scriptorium, text: string): Promise<Project[]> {
  const { projects } = await client.projects.list({ limit: PROJECTS_PAGE })
  const exact = projects.filter(({ id, name }) => id === text || name === text)
  if (exact.length > 0) return exact
  return projects.filter(({ name }) => plain(text) !== '' && plain(name) === plain(text))
}

/** Returns the collections of which an order named this handle: their titles may be quite another word. */
async function orderedAs(
  client: Scriptorium,
  all: readonly Collection[],
  text: string,
): Promise<Collection[]> {
  const handle = /(?:^|\/)@([^/?#]+)/.exec(text)?.[1]?.toLowerCase()
  if (handle === undefined) return []
  const found: Collection[] = []
  for (const one of all.slice(0, LOOKED_INTO_MAX)) {
    const { goesOn } = await client.library.get(one.id)
    const [only, ...others] = goesOn?.urls ?? []
    const ordered = /(?:^|\/)@([^/?#]+)/.exec(only ?? '')?.[1]?.toLowerCase()
    if (others.length === 0 && ordered === handle) found.push(one)
  }
  return found
}

/** Returns the bare letters and digits of a title or handle: `@tallerpequeno` is "Taller Pequeño". */
function plain(text: string): string {
  const named = /(?:^|\/)(@[^/?#]+)/.exec(text)?.[1] ?? text
  return named
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
