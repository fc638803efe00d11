/**
 * Preloaded into a process (`--import`): it listens on a port of the system's choice, whatever its settings say, and
 * its log names that. HEALTH_PORT has no number for this, since 0 stands for none.
 */
import net from 'node:net'

const { listen } = net.Server.prototype

net.Server.prototype.listen = function (this: net.Server, options: object, ...rest: never[]) {
  return Reflect.apply(listen, this, [{ ...options, port: 0 }, ...rest])
} as typeof listen
