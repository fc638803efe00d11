/** The API in three languages, with the reader's own base address. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { visitQuery } from '../api/queries.ts'
import { AgentLinks } from '../parts/agent-links.tsx'
import { CodeSection } from '../parts/code-section.tsx'
import { CommandLine } from '../parts/command-line.tsx'
import { Section } from '../parts/controls.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { EXAMPLES, LANGUAGES, type Language, writtenFor } from '../parts/examples.ts'
import { PAGE_NAMES } from '../words.ts'
import { TextLink } from '../parts/text-link.tsx'

export function DevelopersPage() {
  const { data: visit } = useQuery(visitQuery)
  const base = visit?.apiBase ?? ''
  const [language, setLanguage] = useState<Language>('curl')
  return (
    <>
      <PageHead
        title="The API"
        name={PAGE_NAMES.api}
        about={
          <>
            Programs can do everything this website does. The base address is{' '}
            <code className="inline-block max-w-full font-mono text-sm wrap-anywhere text-ink">
              {base}
            </code>
            .
          </>
        }
      />
      <p className="mb-8 max-w-[60ch]">
        Create a key on{' '}
        <TextLink to="/settings/$part" params={{ part: 'keys' }}>
          the account page
        </TextLink>{' '}
        and put it in <code className="font-mono text-sm">SCRIPTORIUM_API_KEY</code>. The{' '}
        <TextLink to="/docs">reference</TextLink> describes every field; the{' '}
        <a href="/api/v1/openapi.json" className="link">
          OpenAPI document
        </a>{' '}
        is for programs. Your own server can be notified when a job ends:{' '}
        <TextLink to="/webhooks">webhooks</TextLink>.
      </p>
      <div className="mb-10 space-y-10">
        <AgentLinks url={new URL('/mcp', visit?.apiBase ?? window.location.origin).href} />
        <CommandLine />
      </div>
      <div className="space-y-10">
        <Section
          title="From a program"
          about="Every call below, in the language you choose."
          action={<LanguageTabs language={language} onLanguage={setLanguage} />}
        />
        {EXAMPLES.map(({ title, about, code }) => {
          const text = writtenFor(code[language], base, visit?.examples.channel)
          return (
            <CodeSection
              key={title}
              title={title}
              about={about}
              text={text}
              label={`${title}, as ${language}`}
            />
          )
        })}
      </div>
    </>
  )
}

/** The languages beside each other; the browser's own keys move the choice. */
function LanguageTabs({
  language,
  onLanguage,
}: {
  language: Language
  onLanguage: (language: Language) => void
}) {
  return (
    <div
      role="radiogroup"
      aria-label="Language of the examples"
      className="inline-flex rounded-lg bg-sunken p-1"
    >
      {LANGUAGES.map(({ language: one, name }) => (
        <label
          key={one}
          className="relative flex h-9 items-center rounded-md px-4 text-sm font-medium text-muted hover:text-ink has-checked:bg-surface has-checked:text-ink has-checked:shadow-card"
        >
          <input
            type="radio"
            name="language"
            checked={one === language}
            onChange={() => onLanguage(one)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-md"
          />
          {name}
        </label>
      ))}
    </div>
  )
}
