import type { RunnerLanguage } from './language.ts'

/** C17 with GNU extensions. Warnings are off: a submission is not a review. */
export const c: RunnerLanguage = {
  id: 'c',
  versionArgv: ['/usr/bin/gcc', '--version'],
  sourceName: 'main.c',
  compileArgv: [
    '/usr/bin/gcc',
    '-DONLINE_JUDGE',
    '-O2',
    '-w',
    '-std=gnu17',
    '-fmax-errors=20',
    '-o',
    'main',
    'main.c',
    '-lm',
  ],
  artefact: 'main',
  runArgv: ['/box/main'],
  warmUpSource: '#include <stdio.h>\nint main(void) { puts("warm"); return 0; }\n',
}
