/**
 * Where programs find the service: documents at addresses that crawlers, registries and agents try without being told
 * (docs/decisions/0027-agents.md).
 */
import { createHash } from 'node:crypto'
import { RESOURCE_METADATA } from '../../model/oauth/metadata.ts'
import { SKILL, skillDocument } from './guides.ts'
import { API_BASE } from '../links.ts'
import { type LegalPage, publishedOf } from '../site-settings.ts'

const CATALOG_PATH = '/.well-known/api-catalog'
export const CATALOG_LINK = `<${CATALOG_PATH}>; rel="api-catalog"; type="application/linkset+json"`

const SKILLS_PATH = '/.well-known/agent-skills'
const CARD_TYPE = 'application/mcp-server-card+json'
const CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'
const REGISTRY_SCHEMA =
  'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'
const MCP_DESCRIPTION =
  'Search, read, order and follow transcripts of videos, playlists and channels.'

/** A document that is served as it stands. */
export type ServedDocument = {
  url: string
  type: string
  /** The `Link` header, where it is not that of every document. */
  link?: string
  text: string
}

export type DiscoveryParts = {
  publicUrl: string
  legal: readonly LegalPage[]
  hasStatusPage: boolean
  mcp: {
    path: string
    info: { name: string; title: string; version: string }
  }
}

/** Returns where the card of a server of tools stands (SEP-2127). */
export function cardPathOf(mcpPath: string): string {
  return `${mcpPath}/server-card`
}

/** Returns the documents. */
export function discoveryDocuments(parts: DiscoveryParts): ServedDocument[] {
  const { publicUrl, mcp } = parts
  const skill = skillDocument(publicUrl)
  const cardPath = cardPathOf(mcp.path)
  const json = (url: string, type: string, value: object): ServedDocument => ({
    url,
    type,
    text: JSON.stringify(value, null, 2),
  })
  return [
    {
      ...json(CATALOG_PATH, CATALOG_TYPE, apiCatalog(parts, cardPath)),
      link: CATALOG_LINK,
    },
    json(cardPath, CARD_TYPE, { $schema: CARD_SCHEMA, ...described(parts) }),
    json('/.well-known/ai-catalog.json', 'application/ai-catalog+json', {
      specVersion: '1.0',
      host: { displayName: mcp.info.title, documentationUrl: `${publicUrl}/docs` },
      entries: [entryOf(parts, `${publicUrl}${cardPath}`)],
    }),
    json('/server.json', 'application/json', { $schema: REGISTRY_SCHEMA, ...described(parts) }),
    json(`${SKILLS_PATH}/index.json`, 'application/json', skillIndex(publicUrl, skill)),
    {
      url: `${SKILLS_PATH}/${SKILL.name}/SKILL.md`,
      type: 'text/markdown; charset=utf-8',
      text: skill,
    },
  ]
}

// The catalog of interfaces (RFC 9727), as a set of links (RFC 9264).

const CATALOG_PROFILE = 'https://www.rfc-editor.org/info/rfc9727'
const CATALOG_TYPE = `application/linkset+json; profile="${CATALOG_PROFILE}"`
/** The legal pages that have a relation of their own (RFC 6903). */
const LEGAL_RELATIONS: Record<string, string> = {
  '/terms': 'terms-of-service',
  '/privacy': 'privacy-policy',
}

function apiCatalog(parts: DiscoveryParts, cardPath: string): object {
  const { publicUrl, legal, hasStatusPage, mcp } = parts
  const link = (path: string, type: string) => ({ href: `${publicUrl}${path}`, type })
  const html = (path: string) => link(path, 'text/html')
  const json = (path: string) => link(path, 'application/json')
  const ofAll = {
    status: [...(hasStatusPage ? [html('/status')] : []), json('/readyz')],
    ...Object.fromEntries(
      publishedOf(legal).flatMap(({ path }) => {
        const relation = LEGAL_RELATIONS[path]
        return relation === undefined ? [] : [[relation, [html(path)]]]
      }),
    ),
  }
  const server = '/.well-known/oauth-authorization-server'
  return {
    linkset: [
      {
        anchor: `${publicUrl}${CATALOG_PATH}`,
        item: [{ href: `${publicUrl}${API_BASE}` }, { href: `${publicUrl}${mcp.path}` }],
        profile: [{ href: CATALOG_PROFILE }],
      },
      {
        anchor: `${publicUrl}${API_BASE}`,
        'service-desc': [json(`${API_BASE}/openapi.json`)],
        'service-doc': [html('/docs'), link('/docs.md', 'text/markdown')],
        'service-meta': [json(`${RESOURCE_METADATA}${API_BASE}`), json(server)],
        ...ofAll,
      },
      {
        anchor: `${publicUrl}${mcp.path}`,
        'service-desc': [link(cardPath, CARD_TYPE)],
        'service-doc': [link('/docs/agents.md', 'text/markdown')],
        'service-meta': [json(`${RESOURCE_METADATA}${mcp.path}`), json(server)],
        ...ofAll,
      },
    ],
  }
}

// The server of tools, as its card (SEP-2127) and as an entry of a registry describe it.

/** Returns the service's name in a registry: its host in reverse, then the server's: `example.texts/scriptorium`. */
function registryName({ publicUrl, mcp }: DiscoveryParts): string {
  const { hostname } = new URL(publicUrl)
  const isNumber = /^[\d.]+$|:/.test(hostname)
  const host = isNumber ? hostname : hostname.split('.').reverse().join('.')
  return `${host.replaceAll(/[^a-zA-Z0-9.-]/g, '-')}/${mcp.info.name}`
}

function described(parts: DiscoveryParts) {
  const { publicUrl, mcp } = parts
  return {
    name: registryName(parts),
    title: mcp.info.title,
    description: MCP_DESCRIPTION,
    version: mcp.info.version,
    websiteUrl: publicUrl,
    remotes: [{ type: 'streamable-http', url: `${publicUrl}${mcp.path}` }],
  }
}

/** Returns the card's entry in a catalog; its type has another name in each of the two drafts that describe entries. */
function entryOf({ publicUrl, mcp }: DiscoveryParts, url: string): object {
  return {
    identifier: `urn:air:${new URL(publicUrl).hostname}:mcp:${mcp.info.name}`,
    displayName: mcp.info.title,
    type: CARD_TYPE,
    mediaType: CARD_TYPE,
    url,
  }
}

/** Returns the list of skills (Agent Skills Discovery 0.2.0), with the digest of the one that there is. */
function skillIndex(publicUrl: string, skill: string): object {
  const digest = `sha256:${createHash('sha256').update(skill).digest('hex')}`
  const url = `${publicUrl}${SKILLS_PATH}/${SKILL.name}/SKILL.md`
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [{ ...SKILL, type: 'skill-md', url, digest }],
  }
}
