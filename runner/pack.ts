/** The packed runner is one file (`npm run runner:pack`). All its commands and its second thread begin here. */
import { isMainThread } from 'node:worker_threads'

const command = process.argv[2]
if (!isMainThread) await import('./compare/worker.ts')
else if (command === 'check') await (await import('./host/check-host.ts')).printReport()
else if (command === 'build') console.log(await (await import('./sandbox/build.ts')).buildHelper())
else await import('./main.ts')
