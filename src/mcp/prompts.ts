/** Prompts: the three commonest tasks, as a person chooses them in their client. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { PROMPT_STEPS } from './next-steps.ts'

type Prompt = {
  name: string
  title: string
  description: string
  arguments: { name: string; description: string; required: boolean }[]
  steps: string
}

const PROMPTS: readonly Prompt[] = [
  {
    name: 'transcripts_of_channel',
    title: 'Transcripts of a channel',
    description:
      'Orders the transcripts of a channel or playlist that are not owned yet, once the price is agreed.',
    arguments: [{ name: 'channel', description: 'URL, id or @name', required: true }],
    steps: PROMPT_STEPS.channel,
  },
  {
    name: 'quote_with_second',
    title: 'Quote with its second',
    description:
      'Finds where something is said in the owned transcripts, word for word, with a link to the second.',
    arguments: [{ name: 'quote', description: 'The words, as far as remembered', required: true }],
    steps: PROMPT_STEPS.quote,
  },
  {
    name: 'what_is_said',
    title: 'What is said about something',
    description: 'Sums up what the owned transcripts say about a topic, each claim with its quote.',
    arguments: [{ name: 'topic', description: 'A few words', required: true }],
    steps: PROMPT_STEPS.topic,
  },
]

/** The prompts as `prompts/list` shows them. */
export const SHOWN_PROMPTS = PROMPTS.map(({ steps: _steps, ...shown }) => shown)

/** Returns a prompt with its argument in it, as data; throws where there is none, or the argument is missing. */
export function promptNamed(name: string, args: Record<string, string> = {}) {
  const prompt = PROMPTS.find((one) => one.name === name)
  if (prompt === undefined) {
    const names = PROMPTS.map((one) => one.name).join(', ')
    throw wrongPrompt(`Unknown prompt ${name.slice(0, 60)}; there are ${names}.`)
  }
  const given = prompt.arguments.map((one) => {
    const value = args[one.name]?.trim() ?? ''
    if (value === '') throw wrongPrompt(`${prompt.name} needs ${one.name}: ${one.description}.`)
    return `${one.name}: ${JSON.stringify(value)}`
  })
  const text = `${prompt.steps}\n\n${given.join('\n')}`
  const messages = [{ role: 'user' as const, content: { type: 'text' as const, text } }]
  return { description: prompt.description, messages }
}

function wrongPrompt(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
