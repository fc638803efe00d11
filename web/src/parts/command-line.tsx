/** The command that needs no installation, with the reader's own host; nothing where the service does not serve it. */
import { useQuery } from '@tanstack/react-query'
import { commandFileQuery, visitQuery } from '../api/queries.ts'
import { CodeBlock } from './code-block.tsx'
import { CodeSection } from './code-section.tsx'

export function CommandLine() {
  const { data: file } = useQuery(commandFileQuery)
  const { data: visit } = useQuery(visitQuery)
  if (file === null) return null
  // The route waits for the file's name, so that nothing moves where there is none; after a failed answer the space
  // stays.
  const line = `npx ${window.location.origin}/clients/${file ?? '…'} get ${visit?.examples.channel ?? '…'} --max 10 --out talks`
  return (
    <CodeSection
      title="From the command line"
      about="With Node 20 or newer: one command orders, waits and writes the files. If it is interrupted, run it again to continue. The key is in SCRIPTORIUM_API_KEY."
    >
      <CodeBlock title="From the command line" head="Shell" text={line} />
    </CodeSection>
  )
}
