/** Checks Kubernetes objects by the API's own schemas, as Kubernetes' published models have them. */
import fs from 'node:fs'
import path from 'node:path'
import { parseAllDocuments } from 'yaml'

// oxlint-disable-next-line typescript/no-explicit-any -- objects as they were read
export type KubernetesObject = Record<string, any>

type Model = new (object: KubernetesObject) => { validate(): void }

const MODELS: Record<string, () => Promise<Record<string, unknown>>> = {
  'v1 ConfigMap': () => import('kubernetes-models/v1/ConfigMap'),
  'v1 Secret': () => import('kubernetes-models/v1/Secret'),
  'v1 Service': () => import('kubernetes-models/v1/Service'),
  'apps/v1 Deployment': () => import('kubernetes-models/apps/v1/Deployment'),
  'batch/v1 Job': () => import('kubernetes-models/batch/v1/Job'),
  'policy/v1 PodDisruptionBudget': () => import('kubernetes-models/policy/v1/PodDisruptionBudget'),
  'networking.k8s.io/v1 Ingress': () => import('kubernetes-models/networking.k8s.io/v1/Ingress'),
}

/** Returns all objects of the YAML files in a folder. */
export function readObjects(folder: string): KubernetesObject[] {
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parseAllDocuments(fs.readFileSync(path.join(folder, name), 'utf8')))
    .map((document) => document.toJS() as KubernetesObject)
}

/** Returns sentences: one for a wrong type or value, and one for each field that the schema does not know. */
export async function faultsOfObjects(objects: KubernetesObject[]): Promise<string[]> {
  const faults: string[] = []
  for (const object of objects) {
    const name = `${object['kind']} ${object['metadata'].name}`
    const load = MODELS[`${object['apiVersion']} ${object['kind']}`]
    if (load === undefined) {
      faults.push(`${name}: no such kind`)
      continue
    }
    const Model = (await load())[object['kind']] as Model
    const watched = watchReads(object)
    try {
      Model.prototype.validate.call(watched.object)
    } catch (error) {
      faults.push(`${name}: ${(error as Error).message}`)
    }
    faults.push(...watched.unread().map((field) => `${name}: there is no field ${field}`))
  }
  return faults
}

/**
 * Watches which fields the models read. The models let pass what they do not know, but read each field that they know,
 * so that a field nobody read is unknown.
 */
function watchReads(object: KubernetesObject): { object: KubernetesObject; unread(): string[] } {
  const unread = new Set<string>()
  const watch = (value: unknown, at: string): unknown => {
    if (typeof value !== 'object' || value === null) return value
    for (const key of Object.keys(value)) unread.add(`${at}.${key}`)
    return new Proxy(value, {
      get(target, key) {
        unread.delete(`${at}.${String(key)}`)
        return watch(Reflect.get(target, key), `${at}.${String(key)}`)
      },
    })
  }
  return { object: watch(object, '') as KubernetesObject, unread: () => [...unread] }
}
