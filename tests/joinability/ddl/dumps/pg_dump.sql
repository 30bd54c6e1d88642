--
-- PostgreSQL database dump
--

\restrict hG2kQ

-- Dumped from database version 16.2
-- Dumped by pg_dump version 16.2

SET statement_timeout = 0;
SET client_encoding = 'UTF8';
SELECT pg_catalog.set_config('search_path', '', false);

CREATE EXTENSION IF NOT EXISTS pgcrypto WITH SCHEMA public;

--
-- Name: order_status; Type: TYPE; Schema: public; Owner: app
--

CREATE TYPE public.order_status AS ENUM (
    'new',
    'paid'
);

--
-- Name: touch(); Type: FUNCTION; Schema: public; Owner: app
--

CREATE FUNCTION public.touch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  CREATE TEMP TABLE evil (a int);
  RETURN NEW;
END;
$$;

SET default_tablespace = '';
SET default_table_access_method = heap;

--
-- Name: customers; Type: TABLE; Schema: public; Owner: app
--

CREATE TABLE public.customers (
    customer_id bigint NOT NULL,
    email character varying(80) COLLATE pg_catalog."C",
    tags text[] DEFAULT '{}'::text[],
    location public.geometry(Point,4326),
    since timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT has_at CHECK (((email)::text ~~ '%@%'::text))
);


ALTER TABLE public.customers OWNER TO app;

--
-- Name: TABLE customers; Type: COMMENT; Schema: public; Owner: app
--

COMMENT ON TABLE public.customers IS 'who buys in the shop';


--
-- Name: COLUMN customers.customer_id; Type: COMMENT; Schema: public; Owner: app
--

COMMENT ON COLUMN public.customers.customer_id IS 'number on the card; the shop''s own';


--
-- Name: customers_customer_id_seq; Type: SEQUENCE; Schema: public; Owner: app
--

ALTER TABLE public.customers ALTER COLUMN customer_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.customers_customer_id_seq
    START WITH 1
    NO MAXVALUE
    CACHE 1
);


--
-- Name: orders; Type: TABLE; Schema: public; Owner: app
--

CREATE TABLE public.orders (
    order_id bigint DEFAULT nextval('public.orders_order_id_seq'::regclass) NOT NULL,
    customer_id bigint NOT NULL,
    status public.order_status DEFAULT 'new'::public.order_status,
    meta jsonb
);


--
-- Name: order_items; Type: TABLE; Schema: public; Owner: app
--

CREATE TABLE public.order_items (
    order_id bigint NOT NULL,
    "position" smallint NOT NULL,
    label text
)
PARTITION BY HASH (order_id);


--
-- Name: order_items_0; Type: TABLE; Schema: public; Owner: app
--

CREATE TABLE public.order_items_0 PARTITION OF public.order_items FOR VALUES WITH (modulus 2, remainder 0);


COMMENT ON TABLE public.order_items IS 'lines of orders';

--
-- Data for Name: customers; Type: TABLE DATA; Schema: public; Owner: app
--

COPY public.customers (customer_id, email, tags, location, since) FROM stdin;
1	o'neil@example.com	{}	\N	2024-01-01 00:00:00+00
2	"half; CREATE TABLE evil (a int);	{}	\N	2024-01-01 00:00:00+00
\.


--
-- Name: customers customers_pkey; Type: CONSTRAINT; Schema: public; Owner: app
--

ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_pkey PRIMARY KEY (customer_id);

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (order_id);

ALTER TABLE ONLY public.order_items
    ADD CONSTRAINT order_items_pkey PRIMARY KEY (order_id, "position");

CREATE INDEX i ON public.orders USING btree (customer_id);

CREATE TRIGGER touched BEFORE UPDATE ON public.orders FOR EACH ROW EXECUTE FUNCTION public.touch();

--
-- Name: orders orders_customer_fk; Type: FK CONSTRAINT; Schema: public; Owner: app
--

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_customer_fk FOREIGN KEY (customer_id) REFERENCES public.customers(customer_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.order_items
    ADD CONSTRAINT order_fk FOREIGN KEY (order_id) REFERENCES public.orders(order_id) NOT VALID;

GRANT SELECT ON TABLE public.orders TO reader;

\unrestrict hG2kQ
