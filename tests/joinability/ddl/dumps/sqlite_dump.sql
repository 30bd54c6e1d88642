PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE customers ( -- who buys in the shop
  customer_id INTEGER PRIMARY KEY AUTOINCREMENT, -- number on the card
  email TEXT COLLATE NOCASE,
  note, -- free text
  "since" DATETIME DEFAULT (strftime('%s', 'now'))
);
INSERT INTO customers VALUES(1,'o''neil@example.com','; CREATE TABLE evil (a INT);',NULL);
INSERT INTO customers VALUES(2,replace('two\nlines','\n',char(10)),NULL,NULL);
CREATE TABLE IF NOT EXISTS "orders" (
  [order_id] INTEGER NOT NULL PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers ON DELETE CASCADE,
  net REAL,
  total REAL GENERATED ALWAYS AS (net * 1.2) VIRTUAL
) STRICT;
CREATE TABLE `order_items` (order_id INTEGER, position INTEGER, label TEXT /* as the shop shows it */,
  PRIMARY KEY (order_id, position), FOREIGN KEY (order_id) REFERENCES orders (order_id)) WITHOUT ROWID /* lines of orders */;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('customers',2);
CREATE INDEX i ON orders (customer_id);
CREATE TRIGGER t AFTER INSERT ON orders BEGIN UPDATE orders SET net = 0 WHERE order_id = NEW.order_id; END;
COMMIT;
