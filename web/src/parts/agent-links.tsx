/** Links that add the tools to an agent, and the command that does. None holds a key: agents ask to be connected. */
import { CodeBlock } from './code-block.tsx'
import { CodeSection } from './code-section.tsx'
import { buttonLook } from './controls.tsx'

const NAME = 'scriptorium'

/** `url` is the service's own /mcp. */
export function AgentLinks({ url }: { url: string }) {
  const line = `claude mcp add --transport http ${NAME} ${url}`
  return (
    <CodeSection
      title="For agents"
      about="Assistants and coding agents order and read transcripts with tools. They need no key: on first use they lead you here to connect them, with a monthly limit."
    >
      <div className="mb-4 flex flex-wrap gap-2">
        {linksTo(url).map(([agent, href]) => (
          <a key={agent} href={href} className={buttonLook('plain', 'small')}>
            Add to {agent}
          </a>
        ))}
      </div>
      <CodeBlock title="For agents, as a command" head="Claude Code" text={line} />
    </CodeSection>
  )
}

/** The forms of these links are their makers' (cursor.com/docs/mcp/install-links, code.visualstudio.com; 2026-11). */
function linksTo(url: string): [agent: string, href: string][] {
  const config = btoa(JSON.stringify({ url }))
  const server = JSON.stringify({ name: NAME, type: 'http', url })
  const connector = new URLSearchParams({ connectorName: 'Scriptorium', connectorUrl: url })
  return [
    [
      'Cursor',
      `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${encodeURIComponent(config)}`,
    ],
    ['VS Code', `vscode:mcp/install?${encodeURIComponent(server)}`],
    ['Claude', `https://claude.ai/customize/connectors?modal=add-custom-connector&${connector}`],
  ]
}
