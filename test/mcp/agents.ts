/**
 * Agents: the official clients of both eras of the protocol, connected to a service with a customer's key. They know
 * the list of tools, so that they check each answer against what it shows; what it does not show is checked here.
 */
import assert from 'node:assert/strict'
import { Compile } from 'typebox/compile'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernPipe } from '@modelcontextprotocol/client/stdio'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioClientTransport as LegacyPipe } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { CLI_SOURCE } from '../clients/cli-command.ts'
import { TOOLS } from '../../src/mcp/toolbox.ts'
import { bareEnvironment } from '../support/service-process.ts'

export type Agent = {
  /** Returns the answer of a tool, refused or not. */
  calls(tool: string, args?: Json): Promise<ToolReply>
  /** Returns the JSON of an accepted call's first text. */
  asks(tool: string, args?: Json): Promise<Json>
  /** Returns the refusal of a call. */
  isRefused(tool: string, args?: Json): Promise<Json>
  client: ModernClient | LegacyClient
  close(): Promise<void>
}
export type ToolReply = { content: Json[]; structuredContent?: Json; isError?: boolean }

const INFO = { name: 'agent', version: '1.0.0' }
const PINNED = { versionNegotiation: { mode: { pin: '2026-07-28' } } }
const at = (customer: Customer): URL => new URL('/mcp', customer.base)
const withKey = (customer: Customer) => ({
  requestInit: { headers: { Authorization: `Bearer ${customer.apiKey}` } },
})

/** Returns an agent that speaks the revision of 2026 alone. */
export async function modernAgent(customer: Customer): Promise<Agent> {
  const client = new ModernClient(INFO, PINNED)
  await client.connect(new ModernTransport(at(customer), withKey(customer)))
  return agentOf(client)
}

/** Returns an agent that begins with `initialize`, as the clients in use do. */
export async function legacyAgent(customer: Customer): Promise<Agent> {
  const client = new LegacyClient(INFO)
  await client.connect(new LegacyTransport(at(customer), withKey(customer)) as never)
  return agentOf(client)
}

/** Starts `scriptorium mcp` and talks to it over pipes, in this era. */
export async function pipedAgent(customer: Customer, era: 'modern' | 'legacy'): Promise<Agent> {
  const program = {
    command: process.execPath,
    args: [CLI_SOURCE, 'mcp'],
    env: {
      ...bareEnvironment(),
      SCRIPTORIUM_URL: new URL('/', customer.base).href,
      SCRIPTORIUM_API_KEY: customer.apiKey,
    },
  }
  if (era === 'modern') {
    const client = new ModernClient(INFO, PINNED)
    await client.connect(new ModernPipe(program))
    return agentOf(client)
  }
  const client = new LegacyClient(INFO)
  await client.connect(new LegacyPipe(program))
  return agentOf(client)
}

/** What every answer of a tool has, under the tool's name. */
const ANSWERS = new Map(Array.from(TOOLS, ([name, { output }]) => [name, Compile(output)]))

async function agentOf(client: ModernClient | LegacyClient): Promise<Agent> {
  await client.listTools()
  const calls = async (name: string, args: Json = {}): Promise<ToolReply> => {
    const reply = (await client.callTool({ name, arguments: args })) as ToolReply
    if (reply.isError !== true) checkAnswer(name, reply)
    return reply
  }
  const textOf = ({ content }: ToolReply): Json => JSON.parse(content[0]?.['text'] ?? 'null')
  return {
    calls,
    async asks(name, args) {
      const reply = await calls(name, args)
      assert.notEqual(reply.isError, true, JSON.stringify(reply.content))
      assert.deepEqual(textOf(reply), reply.structuredContent)
      return textOf(reply)
    },
    async isRefused(name, args) {
      const reply = await calls(name, args)
      assert.equal(reply.isError, true, JSON.stringify(reply.content))
      return textOf(reply)['error']
    },
    client,
    close: () => client.close(),
  }
}

/** Calls a tool, and again where the job was not over by the time that a tool waits, as it says to do. */
export async function callsUntilReady(agent: Agent, tool: string, args: Json): Promise<ToolReply> {
  for (;;) {
    const reply = await agent.calls(tool, args)
    if (reply.structuredContent?.['isFinal'] !== false) return reply
  }
}

/** Fails where an answer has a field that its tool does not declare, or lacks one. */
function checkAnswer(name: string, { structuredContent }: ToolReply): void {
  const answer = ANSWERS.get(name)
  assert.ok(answer !== undefined, name)
  const faults = answer.Check(structuredContent) ? [] : [...answer.Errors(structuredContent)]
  const said = faults.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')
  assert.equal(said, '', `${name} answers ${JSON.stringify(structuredContent).slice(0, 600)}`)
}
