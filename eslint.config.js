import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'build',
      '.build',
      '**/dist',
      'coverage',
      '.data',
      '.artifacts',
      'clients/typescript/src/schema.ts',
      'clients/kotlin',
      'clients/python',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        AbortController: 'readonly',
        setTimeout: 'readonly',
      },
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      '@typescript-eslint/no-extraneous-class': [
        'error',
        { allowWithDecorator: true, allowStaticOnly: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // Indexing is checked (noUncheckedIndexedAccess), so that `!` says: this index exists, by construction.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      // Answer and request classes are shapes for validation and documents; plain objects of that shape are meant.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      '@typescript-eslint/no-empty-function': [
        'error',
        { allow: ['arrowFunctions', 'asyncMethods', 'asyncFunctions'] },
      ],
      'max-lines': ['error', { max: 250 }],
    },
  },
  {
    // A parameter decorator with a type-only import would silently lose its class, and with it the validation:
    // TypeScript's own emitDecoratorMetadata check (TS1272) covers these files.
    files: ['**/*.controller.ts', '**/*.service.ts', '**/*.guard.ts', '**/*.strategy.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/contract/validation.pipe.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          name: '@nestjs/common',
          importNames: ['Body', 'Query'],
          message: 'What they give is checked by nobody: take CheckedBody and CheckedQuery.',
        },
      ],
    },
  },
  {
    files: ['migrations/**', 'test/**', '**/*.data.ts', '**/*.spec.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    // Answers come as JSON of any shape; the tests assert it instead of typing it.
    files: ['test/**', '**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
    },
  },
);
