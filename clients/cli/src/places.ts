/** Where things are kept between commands: the XDG folders, on Windows those of AppData. */
import os from 'node:os'
import path from 'node:path'

export type Places = {
  /** Service and key: `config.json`, mode 0600. */
  configFile: string
  /** Interrupted orders, half downloads, when a newer version was looked for. */
  stateFolder: string
}

const NAME = 'scriptorium'

export function placesFor(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Places {
  const home = env['HOME'] || os.homedir()
  const [config, state] =
    platform === 'win32'
      ? [env['APPDATA'], env['LOCALAPPDATA']]
      : [env['XDG_CONFIG_HOME'], env['XDG_STATE_HOME']]
  const configHome = absolute(config) ?? path.join(home, '.config')
  const stateHome = absolute(state) ?? path.join(home, '.local', 'state')
  return {
    configFile: path.join(configHome, NAME, 'config.json'),
    stateFolder: path.join(stateHome, NAME),
  }
}

/** The XDG rules: a relative path is ignored. */
function absolute(folder: string | undefined): string | null {
  return folder !== undefined && path.isAbsolute(folder) ? folder : null
}
