import type { RunnerLanguage } from './language.ts'

/** Everything but the files; a precompiled header only fits the very same flags. */
export const CPP_FLAGS = ['-DONLINE_JUDGE', '-O2', '-w', '-std=gnu++20', '-fmax-errors=20']

/** C++20 with GNU extensions. `/tools/include` holds bits/stdc++.h precompiled (`tools.ts`). */
export const cpp: RunnerLanguage = {
  id: 'cpp',
  versionArgv: ['/usr/bin/g++', '--version'],
  sourceName: 'main.cpp',
  compileArgv: ['/usr/bin/g++', ...CPP_FLAGS, '-I/tools/include', '-o', 'main', 'main.cpp', '-lm'],
  artefact: 'main',
  runArgv: ['/box/main'],
  warmUpSource: '#include <bits/stdc++.h>\nint main() { std::cout << "warm\\n"; }\n',
}
