/** Checks GitHub workflows with GitHub's own parser: fields, types and the names in expressions. */
import { registerHooks } from 'node:module'
import type * as Parser from '@actions/workflow-parser'

const SILENT = { error() {}, info() {}, verbose() {} }

/** Returns a sentence for each fault. */
export async function faultsOfWorkflow(content: string): Promise<string[]> {
  const { parseWorkflow, convertWorkflowTemplate } = await load()
  const { context, value } = parseWorkflow({ name: 'workflow.yml', content }, SILENT)
  if (value !== undefined) await convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}

/** Loads the parser, which imports JSON as bundlers allow it: Node would refuse without a declared type. */
async function load(): Promise<typeof Parser> {
  const hooks = registerHooks({
    load: (url, context, next) =>
      next(
        url,
        url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context,
      ),
  })
  try {
    return await import('@actions/workflow-parser')
  } finally {
    hooks.deregister()
  }
}
