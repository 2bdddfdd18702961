/** Evaluated before any import that an older Node could not even parse. */
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Gatehouse needs Node 24 or newer, but this is ${process.version}: use npm start, which runs a bundled Node, or install Node 24.`,
  );
  process.exit(1);
}
