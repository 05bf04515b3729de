import tseslint from 'typescript-eslint'

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      'generated/',
      'report/',
      '.scratch/',
      'node_modules/',
      // Servers by authors who do not know this project. They stay as these authors wrote them.
      'conformance/proof/blind/',
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      'no-console': 'error',
    },
  },
  {
    // The timer of a wait that loses a race keeps the process alive until it expires.
    files: ['conformance/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.object.name='Promise'][callee.property.name='race'] CallExpression:matches([callee.name=/^(wait|sleep|setTimeout)$/], [callee.property.name='wait'], [callee.property.name='sleep'][arguments.length=1])",
          message: 'Use waitAtMost, which stops the timer.',
        },
      ],
    },
  },
  {
    // The timeout in vitest.config.ts is long enough for a slow machine.
    files: ['**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression:matches([callee.name=/^(test|it)$/], [callee.callee.property.name='each'])[arguments.1.type=/Function/] > Literal.arguments:nth-child(3), CallExpression[callee.name=/^(before|after)(All|Each)$/] > Literal.arguments:nth-child(2)",
          message: 'Leave the timeout to vitest.config.ts: a slow machine must not fail a test.',
        },
      ],
    },
  },
  {
    // These files read documents of any shape (`any`), and print what they find (`console`).
    files: [
      'scripts/generate.ts',
      'scripts/generate/**',
      'scripts/static/**',
      'mocks/stateful/images/images.testing.ts',
    ],
    rules: { '@typescript-eslint/no-explicit-any': 'off', 'no-console': 'off' },
  },
)
