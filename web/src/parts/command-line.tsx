/** The command that needs no installation, with the reader's own host; nothing where the service does not serve it. */
import { useQuery } from '@tanstack/react-query'
import { commandFileQuery } from '../api/queries.ts'
import { Section } from './controls.tsx'
import { CopyButton } from './copy.tsx'

export function CommandLine() {
  const { data: file } = useQuery(commandFileQuery)
  if (file === null) return null
  // The route waits for the file's name, so that nothing moves where there is none; after a failed answer the space
  // stays.
  const line = `npx ${window.location.origin}/clients/${file ?? '…'} get https://www.youtube.com/@channel --max 10 --out talks`
  return (
    <Section
      title="From the command line"
      about="With Node 20 or newer: one command orders, waits and writes the files. If it is interrupted, run it again to continue. The key is in SCRIPTORIUM_API_KEY."
      action={<CopyButton text={line} />}
    >
      <pre
        tabIndex={0}
        aria-label="From the command line"
        className="overflow-x-auto rounded-xl bg-sunken p-5 font-mono text-[0.8125rem] leading-relaxed"
      >
        <code>{line}</code>
      </pre>
    </Section>
  )
}
