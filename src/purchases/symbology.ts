/** AIM symbology identifiers, such as ]C1 (GS1-128) and ]Q3 (QR): what some scanners put before the text. */
export const SYMBOLOGY = /^\][A-Za-z][0-9A-Za-z]/;
