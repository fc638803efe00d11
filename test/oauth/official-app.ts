/** An app that leaves OAuth to the official clients of the agents' protocol: it only remembers what they give it. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Json } from '../../tools/conformance/http.ts'
import { CALLBACK } from './app.ts'

const INFO = { name: 'official', version: '1.0.0' }

export class OfficialApp {
  readonly redirectUrl: string
  readonly at: URL
  readonly era: 'modern' | 'legacy'
  tokensKept: Json | undefined = undefined
  clientKept: Json | undefined = undefined
  verifier = ''
  /** Address that the browser was sent to; null before. */
  asked: URL | null = null

  constructor(origin: string, era: 'modern' | 'legacy', redirectUrl = CALLBACK) {
    this.at = new URL('/mcp', origin)
    this.era = era
    this.redirectUrl = redirectUrl
  }

  get clientMetadata() {
    return { client_name: `Official ${this.era}`, redirect_uris: [this.redirectUrl] }
  }
  clientInformation = () => this.clientKept
  saveClientInformation = (kept: Json): void => void (this.clientKept = kept)
  tokens = () => this.tokensKept
  saveTokens = (kept: Json): void => void (this.tokensKept = kept)
  saveCodeVerifier = (kept: string): void => void (this.verifier = kept)
  codeVerifier = (): string => this.verifier
  invalidateCredentials = (): void => void (this.tokensKept = undefined)
  redirectToAuthorization = (url: URL): void => void (this.asked = url)

  /** Rejects, with the question in `asked`, where its user has to allow it first. */
  async connects(): Promise<ModernClient | LegacyClient> {
    if (this.era === 'modern') {
      const client = new ModernClient(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
      await client.connect(this.modern())
      return client
    }
    const client = new LegacyClient(INFO)
    await client.connect(this.legacy() as never)
    return client
  }

  /** Hands over the code of the answer with which the browser came back. */
  async brings({ searchParams }: URL): Promise<void> {
    if (this.era === 'modern') await this.modern().finishAuth(searchParams)
    else await this.legacy().finishAuth(searchParams.get('code') ?? '')
  }

  private modern(): ModernTransport {
    return new ModernTransport(this.at, { authProvider: this as never })
  }
  private legacy(): LegacyTransport {
    return new LegacyTransport(this.at, { authProvider: this as never })
  }
}
