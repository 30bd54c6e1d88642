-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
--
-- Host: localhost    Database: shop
-- ------------------------------------------------------
-- Server version	8.0.36

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!50503 SET NAMES utf8mb4 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;

--
-- Table structure for table `customers`
--

DROP TABLE IF EXISTS `customers`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!50503 SET character_set_client = utf8mb4 */;
CREATE TABLE `customers` (
  `customer_id` int unsigned NOT NULL AUTO_INCREMENT COMMENT 'number on the card',
  `email` varchar(80) CHARACTER SET latin1 COLLATE latin1_swedish_ci DEFAULT NULL,
  `place` point /*!80003 SRID 4326 */ DEFAULT NULL,
  `key` varchar(20) DEFAULT 'it''s',
  PRIMARY KEY (`customer_id`),
  UNIQUE KEY `u_email` (`email`(20)),
  KEY `i_key` (`key`) USING BTREE
) ENGINE=InnoDB AUTO_INCREMENT=17 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci COMMENT='who buys in the shop';
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `customers`
--

LOCK TABLES `customers` WRITE;
/*!40000 ALTER TABLE `customers` DISABLE KEYS */;
INSERT INTO `customers` VALUES (1,'o\'neil@example.com',NULL,'a;b'),(2,'x@example.com',NULL,'CREATE TABLE evil (a INT);');
/*!40000 ALTER TABLE `customers` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `orders`
--

DROP TABLE IF EXISTS `orders`;
CREATE TABLE `orders` (
  `order_id` bigint NOT NULL,
  `customer_id` int unsigned NOT NULL COMMENT 'who pays',
  `status` enum('new','paid; sent') NOT NULL DEFAULT 'new',
  `total` decimal(10,2) GENERATED ALWAYS AS ((`net` * 1.2)) VIRTUAL,
  `net` decimal(10,2) DEFAULT '0.00',
  PRIMARY KEY (`order_id`),
  KEY `i_customer` (`customer_id`),
  FULLTEXT KEY `ft` (`status`),
  CONSTRAINT `fk_customer` FOREIGN KEY (`customer_id`) REFERENCES `customers` (`customer_id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
/*!50003 SET sql_mode = 'STRICT_TRANS_TABLES' */ ;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`localhost`*/ /*!50003 TRIGGER `t` BEFORE INSERT ON `orders` FOR EACH ROW BEGIN
  SET NEW.net = 0;
END */;;
DELIMITER ;

--
-- Table structure for table `order_items`
--

DROP TABLE IF EXISTS `order_items`;
CREATE TABLE `order_items` (
  `order_id` bigint NOT NULL,
  `position` smallint NOT NULL,
  `label` varchar(200) DEFAULT NULL COMMENT 'as the shop shows it; in English',
  PRIMARY KEY (`order_id`,`position`),
  CONSTRAINT `fk_order` FOREIGN KEY (`order_id`) REFERENCES `orders` (`order_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='lines of orders'
/*!50100 PARTITION BY HASH (order_id)
PARTITIONS 4 */;

-- Dump completed on 2024-05-01 12:00:00
