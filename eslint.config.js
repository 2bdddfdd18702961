import { dirname, relative, resolve, sep } from 'node:path';
import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const root = import.meta.dirname;

/** Each ban says what to use instead. `paths` are options of no-restricted-imports. */
const DATABASE_ACCESS = {
  paths: [
    {
      name: 'typeorm',
      importNames: ['DataSource', 'EntityManager', 'Repository', 'BaseEntity', 'QueryRunner'],
      message: 'Extend ScopedRepository in a *.repository.ts file; transactions come from the UnitOfWork.',
    },
    {
      name: '@nestjs/typeorm',
      importNames: ['InjectRepository', 'InjectDataSource', 'InjectEntityManager'],
      message: 'Extend ScopedRepository in a *.repository.ts file; transactions come from the UnitOfWork.',
    },
    { name: 'pg', message: 'SQL belongs in a *.repository.ts file, connections in src/database.' },
  ],
  syntax: [
    {
      selector: "NewExpression[callee.name='Transaction']",
      message: 'A transaction is opened by the UnitOfWork, which also commits the outbox; take it as a parameter.',
    },
  ],
};

const MINTED =
  'A scope is proof of authorisation: take it as a parameter; only the guard, jobs and operator programs mint one.';
const MINTING = {
  syntax: [
    ...['ImportSpecifier[imported', 'ExportSpecifier[local', 'MemberExpression[property'].map(
      (node) => `${node}.name=/^mint(Environment|Organization)Id$/]`,
    ),
    'TSAsExpression > TSTypeReference > Identifier[name=/^(Environment|Organization)Id$/]',
  ].map((selector) => ({ selector, message: MINTED })),
};

const NETWORK = {
  paths: [
    {
      name: 'undici',
      message: 'Use OutboundHttp of src/outbound: it refuses private addresses and has limits.',
    },
    ...['node:http', 'node:https'].map((name) => ({
      name,
      importNames: ['get', 'request'],
      message: 'Use OutboundHttp of src/outbound: it refuses private addresses and has limits.',
    })),
  ],
  properties: [{ object: 'globalThis', property: 'fetch', message: 'Use OutboundHttp of src/outbound.' }],
  globals: [{ name: 'fetch', message: 'Use OutboundHttp of src/outbound.' }],
};

const TIME = {
  properties: [{ object: 'Date', property: 'now', message: 'Inject Clock of src/common/clock.ts.' }],
  syntax: [
    {
      selector: ":matches(NewExpression[callee.name='Date'][arguments.length=0], CallExpression[callee.name='Date'])",
      message: 'Inject Clock of src/common/clock.ts.',
    },
  ],
};

const ENVIRONMENT = {
  paths: ['process', 'node:process'].map((name) => ({
    name,
    importNames: ['env', 'default'],
    message: 'Inject Config of src/config.',
  })),
  properties: [{ object: 'process', property: 'env', message: 'Inject Config of src/config.' }],
  syntax: [
    {
      selector: "MemberExpression[property.name='env'][object.property.name='process']",
      message: 'Inject Config of src/config.',
    },
  ],
};

const EVERYWHERE = {
  paths: [
    {
      name: '@nestjs/common',
      importNames: ['forwardRef'],
      message: 'Let the lower context define a port and the upper one register itself.',
    },
  ],
  properties: [{ object: 'Math', property: 'random', message: 'Use randomBytes, randomInt or newId.' }],
  syntax: [
    {
      selector:
        "CallExpression[callee.property.name=/^(debug|error|log|verbose|warn)$/][callee.object.property.name='log'][arguments.0.type='ObjectExpression']",
      message: 'The log shows nothing of a plain object, nor of what follows it: pass a text or a LogRecord.',
    },
  ],
};

const METADATA = {
  syntax: [
    {
      selector: 'Identifier[decorators.length>0] > TSTypeAnnotation > TSTypeReference > [name=/^(Request|Response)$/]',
      message:
        "The parameter's metadata would name the global class, and reading it loads Node's own HTTP client: import ExpressRequest, ExpressResponse.",
    },
  ],
};

const ALL_BANS = [EVERYWHERE, METADATA, ENVIRONMENT, TIME, NETWORK, MINTING, DATABASE_ACCESS];

/** A later block replaces the options of a rule, so each home of an exception states all that remains banned there. */
function bans(...groups) {
  const gather = (kind) => groups.flatMap((group) => group[kind] ?? []);
  // A severity alone would keep the options of the earlier block.
  const ban = (...options) => (options.length > 0 ? ['error', ...options] : 'off');
  return {
    'no-restricted-imports': ['error', { paths: gather('paths') }],
    'no-restricted-properties': ban(...gather('properties')),
    'no-restricted-globals': ban(...gather('globals')),
    'no-restricted-syntax': ban(...gather('syntax')),
  };
}
const allBut = (...groups) => bans(...ALL_BANS.filter((group) => !groups.includes(group)));

/** Contexts see of each other only the door; `common` is a shelf and may be reached into. */
const contextDoor = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { deep: 'Import {{context}} through its door, {{context}}/index.js.' },
  },
  create(context) {
    const source = resolve(root, 'src');
    const contextOf = (path) => {
      const [first = '', ...rest] = relative(source, path).split(sep);
      return first === '..' || rest.length === 0 ? null : first;
    };
    const check = (node) => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string' || !specifier.startsWith('.')) return;
      const target = resolve(dirname(context.filename), specifier);
      const from = contextOf(context.filename);
      const to = contextOf(target);
      if (to === null || to === 'common' || to === from || target === resolve(source, to, 'index.js')) return;
      context.report({ node: node.source, messageId: 'deep', data: { context: to } });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

export default tseslint.config(
  { ignores: ['dist/', '.data/', '.cache/', 'coverage/', 'node_modules/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  { files: ['**/*.{js,mjs}'], extends: [eslint.configs.recommended], languageOptions: { globals: nodeGlobals() } },
  {
    files: ['**/*.{ts,mts}'],
    extends: [eslint.configs.recommended, tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-deprecated': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // The typed rule refuses to rethrow what was caught.
      '@typescript-eslint/only-throw-error': 'off',
      'no-throw-literal': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      // Ports are asynchronous for the adapters that must be; the others still promise.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['{src,examples,extensions}/**/*.ts'],
    plugins: { gatehouse: { rules: { 'context-door': contextDoor } } },
    rules: { 'gatehouse/context-door': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    rules: bans(...ALL_BANS),
  },
  { files: ['src/config/**/*.ts'], rules: allBut(ENVIRONMENT) },
  { files: ['src/common/clock.ts'], rules: allBut(TIME) },
  { files: ['src/outbound/**/*.ts'], rules: allBut(NETWORK) },
  { files: ['src/database/**/*.ts'], rules: allBut(DATABASE_ACCESS) },
  {
    files: ['src/**/*.repository.ts'],
    rules: bans(EVERYWHERE, ENVIRONMENT, TIME, NETWORK, MINTING, { syntax: DATABASE_ACCESS.syntax }),
  },
  {
    files: ['src/auth/**/*.ts', 'src/**/*.job.ts', 'src/cli/**/*.ts', 'src/dev/**/*.ts', 'src/provisioning/**/*.ts'],
    rules: allBut(MINTING),
  },
  {
    files: [
      'src/*.ts',
      'src/cli/terminal.ts',
      'src/doctor/**',
      'src/bootstrap/**',
      'src/custody/signer/main.ts',
      'src/dev/open-for-development.ts',
      'scripts/**',
      'bench/**',
      'chaos/**',
    ],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.{spec,e2e-spec,fixture}.ts', 'test/**/*.{ts,mts}'],
    rules: {
      ...bans(EVERYWHERE),
      // Answers of programs under test are read as they come; the expectation is the check.
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);

function nodeGlobals() {
  const names = [
    'process',
    'console',
    'Buffer',
    'URL',
    'URLSearchParams',
    'setTimeout',
    'clearTimeout',
    'fetch',
    'performance',
  ];
  return Object.fromEntries(names.map((name) => [name, 'readonly']));
}
