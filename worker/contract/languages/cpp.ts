import { C_RUNTIME, type LanguageData } from '#contract/languages/language'

const COMPILER = '/usr/bin/g++'
/** All flags. A precompiled header works only with exactly the same flags. */
const FLAGS = ['-DONLINE_JUDGE', '-O2', '-w', '-std=gnu++20', '-fmax-errors=20'] as const

/** C++20 with GNU extensions. */
export const cpp = {
  code: 1,
  id: 'cpp',
  label: 'C++',
  mask: 2,
  file: 'main.cpp',
  fileEndings: ['cpp', 'cc', 'cxx'],
  fenceNames: ['c++', 'hpp'],
  editor: 'cpp',
  copyFamily: 'c',
  comment: '//',
  streams: { input: 'std::cin', output: 'std::cout' },
  packages: ['g++'],
  versionArgv: [COMPILER, '--version'],
  compileArgv: [COMPILER, ...FLAGS, '-I/tools/include', '-o', 'main', 'main.cpp', '-lm'],
  artefact: 'main',
  runArgv: ['/box/main'],
  exception: /^terminate called after throwing an instance of '(.+)'$/m,
  runtime: {
    ...C_RUNTIME,
    libraries: [...C_RUNTIME.libraries, 'libstdc++.so.6', 'libatomic.so.1'],
  },
  timeFactor: 1,
  memoryFactor: 1,
  precompiled: { compiler: COMPILER, flags: FLAGS, headers: ['bits/stdc++.h', 'iostream'] },
  warmUpSource: '#include <bits/stdc++.h>\nint main() { std::cout << "warm\\n"; }\n',
} as const satisfies LanguageData
